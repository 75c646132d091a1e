//! A dial of the forecast turned over a million keys that all grow.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cosmoscope::ui::app::update::open;
use cosmoscope::work::data::Origin;

use super::{KEYS, Screens, print_against, time_keys};

/// Four readings of each key, a week apart.
fn write_export(path: &Path) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    out.write_all(
        b"TimeGenerated,AccountName,RegionName,DatabaseName,CollectionName,PartitionKey,SizeKb\n",
    )
    .unwrap();
    for day in [1, 8, 15, 22] {
        for row in 0..KEYS {
            let key = row * 7_368_787 % KEYS;
            let kib = 1_000 + key * 40_503 % 10_000_000 + day * (2_000_000 + key % 1_000_000) / 22;
            writeln!(out, "2026-06-{day:02}T02:00:00Z,northpier-prod,West Europe,shop,orders,\"[\"\"tenant-{key:07}\"\"]\",{kib}").unwrap();
        }
    }
    out.flush().unwrap();
}

pub fn run(fixed: Duration) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("screen-bench");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("million-growing-keys.csv");
    if !file.exists() {
        write_export(&file);
    }
    let mut screens = Screens::new();
    let effects = open(&mut screens.app, Origin::Paths(vec![file]));
    screens.done(effects);
    let begun = Instant::now();
    screens.key("5");
    screens.draw();
    println!(
        "{:<44} {:>12.2} s",
        "forecast of 1 M growing keys, first time",
        begun.elapsed().as_secs_f64()
    );
    let turned = time_keys(&mut screens, &["+", "+", "-", "-"], 40);
    print_against("dial turned over 1 M growing keys", &turned, fixed, "must 50 ms");
    screens.key("l");
    screens.key("l");
    let turned = time_keys(&mut screens, &["+", "-"], 20);
    print_against("retention turned over 1 M growing keys", &turned, fixed, "must 50 ms");
}
