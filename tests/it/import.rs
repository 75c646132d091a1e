//! Imports by several threads, which must tell the same as one reader from front to back.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::thread;

use cosmoscope::model::capture::Capture;
use cosmoscope::model::key::Key;
use cosmoscope::model::load::RuKey;
use cosmoscope::model::logical::{LogicalPartitions, SizeBatch, SizeTable};
use cosmoscope::model::sample::{Sample, SampleTime, Trust};
use cosmoscope::model::time::Stamp;
use cosmoscope::source::import::{ImportOptions, import};
use cosmoscope::source::input;
use cosmoscope::source::watch::Watch;

/// Sizes by container, key and second.
type Sizes = BTreeMap<(u32, String, i64), f64>;

/// The same numbers on every machine and in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        u32::try_from(self.0 >> 33).unwrap() % limit
    }
}

fn sizes(partitions: &LogicalPartitions) -> Sizes {
    let mut out = Sizes::new();
    for (_, view) in partitions.iter() {
        for sample in view.series().flat_map(|s| s.samples) {
            let key = view.canonical().to_owned();
            let second = sample.when.at().unwrap().seconds();
            out.insert((view.container(), key, second), sample.kib);
        }
    }
    out
}

fn read(path: &Path, threads: usize) -> Capture {
    let inputs = input::find(&[path.to_owned()], &|| true).unwrap();
    let options = ImportOptions { threads, ..ImportOptions::default() };
    import(&inputs, &options, &Watch::default(), &mut |_| Ok(())).unwrap()
}

/// A table of several MiB; its keys and notes run over lines and are full of quotes and delimiters.
fn write_table(path: &Path, delimiter: u8) {
    let mut random = Random(u64::from(delimiter));
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_path(path).unwrap();
    writer.write_record(["TimeGenerated [UTC]", "PartitionKey", "Note", "SizeKb", "Rest"]).unwrap();
    for _ in 0..14_000 {
        let tenant = random.below(3000);
        let key = match tenant % 3 {
            0 => format!("[\"tenant, {tenant}\",\"a;b\"]"),
            1 => format!("tenant \"{tenant}\"\nof two\r\nof three lines"),
            _ => format!("[\"\\n{tenant}|\t\"]"),
        };
        let line = ["plain ", "\"quoted\"\n", "\n", ",;|\t\" "][random.below(4) as usize];
        let note = line.repeat(random.below(60) as usize);
        let time = format!("2026-06-2{}T02:10:41Z", random.below(4));
        let size = random.below(1_000_000).to_string();
        writer.write_record([&time, &key, &note, &size, "x"]).unwrap();
    }
    writer.flush().unwrap();
}

/// The rows one after the other, the larger of two sizes at one moment; and how many rows there were.
fn read_plainly(path: &Path, delimiter: u8) -> (Sizes, u64) {
    let mut out = Sizes::new();
    let mut rows = 0;
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_path(path).unwrap();
    for record in reader.records() {
        let record = record.unwrap();
        let day: i64 = record[0][8..10].parse().unwrap();
        let key = Key::from_cell(&record[1]).unwrap().canonical();
        let size: f64 = record[3].parse().unwrap();
        let held = out.entry((0, key, day)).or_insert(size);
        *held = held.max(size);
        rows += 1;
    }
    (out, rows)
}

#[test]
fn records_over_many_lines_are_the_same_for_any_number_of_threads() {
    let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("table.csv");
    for delimiter in [b',', b'|'] {
        write_table(&path, delimiter);
        assert!(path.metadata().unwrap().len() > 3 << 20);
        let (want, rows) = read_plainly(&path, delimiter);
        for threads in [1, 2, 4] {
            let capture = read(&path, threads);
            let source = &capture.sources[0];
            assert_eq!((source.rows, source.skipped), (rows, 0), "{:?}", source.notes);
            let found: Sizes = sizes(&capture.sizes)
                .into_iter()
                .map(|((container, key, second), kib)| {
                    let at = Stamp::from_seconds(second).unwrap();
                    ((container, key, i64::from(at.civil().day)), kib)
                })
                .collect();
            assert!(found == want, "{threads} threads");
            let again: u64 = capture.sizes.repeats().iter().sum::<u64>()
                + capture.sizes.conflicts().iter().sum::<u64>();
            assert_eq!(again, rows - want.len() as u64);
        }
    }
}

fn push(batch: &mut SizeBatch, random: &mut Random) {
    let key = format!("[\"key {}\"]", random.below(20_000));
    let second = i64::from(random.below(5));
    let sample = Sample {
        when: SampleTime::new(Stamp::from_seconds(1_782_000_000 + second), Trust::Exact),
        kib: f64::from(random.below(4)),
    };
    let container = random.below(2);
    batch.push_cell(container, 0, key.as_bytes(), sample);
}

#[test]
fn one_table_filled_by_several_threads_is_the_table_filled_by_one() {
    let fill = |table: &SizeTable, seed: u64| {
        let mut random = Random(seed);
        let mut batch = table.batch();
        for _ in 0..15 {
            for _ in 0..1000 {
                push(&mut batch, &mut random);
            }
            table.apply(&mut batch, 0);
        }
    };
    let counted = |p: &LogicalPartitions| p.repeats().iter().chain(&p.conflicts()).sum::<u64>();
    let alone = SizeTable::new(5);
    for seed in 0..4 {
        fill(&alone, seed);
    }
    let together = SizeTable::new(5);
    thread::scope(|scope| {
        for seed in 0..4 {
            let (fill, together) = (&fill, &together);
            scope.spawn(move || fill(together, seed));
        }
    });
    let (alone, together) = (alone.finish(), together.finish());
    assert_eq!(alone.len(), together.len());
    assert_eq!(counted(&alone), counted(&together));
    assert!(sizes(&alone) == sizes(&together));
}

/// Reads a large file in several passes while `change` does something to it after the first.
#[track_caller]
fn changed_between_passes(what: &str, change: &dyn Fn(&Path)) {
    let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("large.csv");
    // Few but long keys, so that the least budget already takes a second pass.
    let mut text = String::from("DatabaseName,CollectionName,PartitionKey,SizeKb\n");
    for i in 0..120 {
        writeln!(text, "d,c,{i:03}{},5", "x".repeat(900_000)).unwrap();
    }
    fs::write(&path, text).unwrap();
    let inputs = input::find(std::slice::from_ref(&path), &|| true).unwrap();
    let options = ImportOptions { memory_bytes: 128 << 20, ..ImportOptions::default() };
    let mut passes = 0;
    let result = import(&inputs, &options, &Watch::default(), &mut |_| {
        passes += 1;
        if passes == 1 {
            change(&path);
        }
        Ok(())
    });
    assert!(passes > 0, "the budget did not take a second pass");
    let Err(error) = result else {
        panic!("{what}: the figures are of two files");
    };
    assert_eq!(error.exit_code(), 2, "{what}: {error}");
    assert!(error.hint().is_some(), "{what}: {error}");
}

#[test]
fn an_input_that_changes_between_passes_is_no_exact_result() {
    let written = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    let set_written = |path: &Path, at| {
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(at).unwrap();
    };
    changed_between_passes("removed", &|path| fs::remove_file(path).unwrap());
    changed_between_passes("cut short", &|path| {
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_len(1_000_000).unwrap();
    });
    changed_between_passes("longer", &|path| {
        let mut file = fs::File::options().append(true).open(path).unwrap();
        std::io::Write::write_all(&mut file, b"d,c,more,5\n").unwrap();
    });
    // As long as the first, and as old.
    changed_between_passes("another file in its place", &|path| {
        let other = path.with_extension("other");
        fs::write(&other, fs::read(path).unwrap().to_ascii_uppercase()).unwrap();
        set_written(&other, written(path));
        fs::rename(&other, path).unwrap();
    });
    #[cfg(unix)]
    changed_between_passes("written over", &|path| {
        let at = written(path);
        fs::write(path, fs::read(path).unwrap().to_ascii_uppercase()).unwrap();
        set_written(path, at);
    });
}

#[test]
fn what_happens_to_an_open_file_is_noticed() {
    let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("log.csv");
    fs::write(&path, "a,b\n1,2\n").unwrap();
    let open = || input::Input::at(&path).open().unwrap();
    let opened = open();
    assert_eq!(opened.change(), None);
    fs::rename(&path, folder.path().join("old.csv")).unwrap();
    assert_eq!(opened.change(), None, "it still has the bytes it was opened for");
    fs::write(&path, "a,b\n1,2\n").unwrap();
    let opened = open();
    fs::write(&path, "a,b\n1,2\n3,4\n").unwrap();
    assert_eq!(opened.change(), Some(input::FileChange::Written));
    let opened = open();
    fs::write(&path, "a,b\n").unwrap();
    assert_eq!(opened.change(), Some(input::FileChange::CutShort));
}

#[test]
fn workers_that_find_the_table_too_large_together_give_up_one_half() {
    const KEYS: usize = 50_000;
    for seed in 0..10 {
        let table = SizeTable::new(seed);
        let mut batch = table.batch();
        for i in 0..KEYS {
            let sample = Sample { when: SampleTime::new(None, Trust::Exact), kib: 1.0 };
            batch.push_cell(0, 0, format!("[\"{i}\"]").as_bytes(), sample);
        }
        table.apply(&mut batch, 0);
        let limit = table.bytes() * 6 / 10;
        let all = std::sync::Barrier::new(8);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    all.wait();
                    table.shrink_to(limit);
                });
            }
        });
        let left = table.finish().len();
        assert!((KEYS * 4 / 10..KEYS * 6 / 10).contains(&left), "{left}");
    }
}

/// The number of an input stands with every key; one that does not fit would be mistaken for another.
#[test]
fn more_files_than_have_numbers_are_refused() {
    let input = input::Input::at(Path::new("absent.csv"));
    let inputs =
        input::Inputs { inputs: vec![Ok(input); input::MAX_FILES + 1], ..input::Inputs::default() };
    let read = import(&inputs, &ImportOptions::default(), &Watch::default(), &mut |_| Ok(()));
    let error = read.unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("more than 65,535 files"), "{error}");
}

#[test]
fn a_glimpse_while_reading_is_part_of_what_is_read() {
    let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("log.csv");
    let mut text = String::from(
        "TimeGenerated,AccountName,DatabaseName,CollectionName,PartitionKey,SizeKb,RegionName\n",
    );
    for n in 0..60_000 {
        writeln!(text, "2026-06-22T02:10:41Z,northpier-prod,shop,orders,\"[\"\"tenant-{n:06}\"\"]\",{n},West Europe").unwrap();
    }
    fs::write(&path, text).unwrap();
    let inputs = input::find(&[path], &|| true).unwrap();
    let watch = Watch::default();
    watch.want_glimpse(50);
    let capture = import(&inputs, &ImportOptions::default(), &watch, &mut |_| Ok(())).unwrap();
    let glimpse = watch.take_glimpse().unwrap();
    assert!(watch.take_glimpse().is_none());
    let so_far = glimpse.keys_so_far[0];
    assert!((50..60_000).contains(&so_far), "{so_far}");
    let (seen, all) = (sizes(&glimpse.capture.sizes), sizes(&capture.sizes));
    assert_eq!(seen.len(), 50);
    assert!(seen.iter().all(|(key, kib)| all.get(key) == Some(kib)));
    let name = |capture: &Capture| capture.containers[0].name.title();
    assert_eq!(name(&glimpse.capture), name(&capture));
    assert_eq!(glimpse.capture.sources[0].path, capture.sources[0].path);
}

#[test]
fn a_log_says_what_429s_and_403s_are_of() {
    let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("requests.csv");
    let head = "TimeGenerated [UTC],Type,AccountName,DatabaseName,CollectionName,PartitionId,OperationName,StatusCode,SubStatusCode,PriorityLevel,RequestCharge,DurationMs,ActivityId";
    let rows = [
        ("429", "3212", "High"),
        ("429", "3200", "Low"),
        ("429", "3200", "High"),
        ("200", "0", "Low"),
        ("403", "1014", ""),
        ("403", "5300", ""),
    ];
    let mut text = format!("{head}\n");
    for (at, (status, sub_status, priority)) in rows.iter().enumerate() {
        writeln!(text, "2026-06-22T02:00:0{at}.5Z,CDBDataPlaneRequests,a,shop,orders,0000a000-0000-4000-8000-00000000a000,Read,{status},{sub_status},{priority},1.0,2.0,activity-{at}").unwrap();
    }
    fs::write(&path, &text).unwrap();
    let capture = read(&path, 1);
    let limited = capture.load.limited.values().next().copied().unwrap();
    assert_eq!((limited.in_buckets, limited.of_low_priority, limited.of_neither), (1, 1, 1));
    assert_eq!((limited.of_full_keys, limited.of_other_403), (1, 1));
    let of_429s = |note: &&String| note.starts_with("429s with ");
    let notes: Vec<&String> = capture.sources[0].notes.iter().filter(of_429s).collect();
    assert!(notes.len() == 2 && notes[0].starts_with("429s with 3200: 2; a physical partition"));
    assert!(notes[1].starts_with("429s with 3212: 1; a throughput bucket"), "{notes:?}");
    // Counts of a hostile log add up to the largest number, not beyond it.
    let many = text.replace("ActivityId", "ActivityId,RequestCount").lines().fold(
        String::new(),
        |whole, line| {
            whole + line + if line.starts_with("Time") { "\n" } else { ",18446744073709551615\n" }
        },
    );
    let hostile = folder.path().join("hostile.csv");
    fs::write(&hostile, many).unwrap();
    let capture = read(&hostile, 1);
    let notes = &capture.sources[0].notes;
    assert!(
        notes.iter().any(|n| n.starts_with("429s with 3200: 18,446,744,073,709,551,615")),
        "{notes:?}"
    );
    // Without a sub-status the bucket's number says it.
    let head = head.replace("SubStatusCode", "ThroughputBucket");
    let rows = [("2", "High", 1), ("0", "Low", 2), ("", "High", 3), ("1", "Low", 4)];
    let row = |(bucket, priority, at): &(&str, &str, i32)| {
        format!(
            "2026-06-22T02:00:0{at}.5Z,CDBDataPlaneRequests,a,shop,orders,0000a000-0000-4000-8000-00000000a000,Read,429,{bucket},{priority},1.0,2.0,activity-{at}\n"
        )
    };
    fs::write(&path, format!("{head}\n{}", rows.iter().map(row).collect::<String>())).unwrap();
    let capture = read(&path, 1);
    let limited = capture.load.limited.values().next().copied().unwrap();
    assert_eq!((limited.in_buckets, limited.of_low_priority), (2, 1));
}

#[test]
fn a_size_of_minus_zero_is_zero() {
    let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let zeros = ["-0", "-0.0", "0"];
    let head = "TimeGenerated [UTC],PartitionKey,SizeKb\n".to_owned();
    let csv = zeros.iter().zip(0..).fold(head, |csv, (zero, n)| {
        csv + &format!("2026-06-22T02:10:4{n}Z,\"[\"\"a{n}\"\"]\",{zero}\n")
    });
    let json = zeros.iter().zip(0..).map(|(zero, n)| {
        format!(r#"{{"TimeGenerated":"2026-06-22T02:10:4{n}Z","PartitionKey":"[\"a{n}\"]","SizeKb":{zero}}}"#)
    });
    let json = json.collect::<Vec<_>>().join("\n");
    for (name, text) in [("zeros.csv", csv), ("zeros.json", json)] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let capture = read(&path, 1);
        assert_eq!(capture.sources[0].skipped, 0, "{name}");
        let sizes: Vec<u64> = sizes(&capture.sizes).into_values().map(f64::to_bits).collect();
        assert_eq!(sizes, [0; 3], "{name}");
    }
}

/// 210,000 keys with one record each, and then one key with 91 % of the RU.
#[test]
fn the_key_with_most_ru_is_found_behind_any_number_of_others() {
    let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("ru.csv");
    let mut text = String::from(
        "TimeGenerated,AccountName,DatabaseName,CollectionName,PartitionKey,PartitionKeyRangeId,ActivityId,RequestCharge\n",
    );
    for n in 0..231_000 {
        let (key, ru) = if n < 210_000 { (format!("k{n}"), 10) } else { ("HOT".to_owned(), 1_000) };
        let (minute, second) = (n / 60 % 60, n % 60);
        writeln!(
            text,
            "2026-06-15T12:{minute:02}:{second:02}Z,acc,db,c,\"[\"\"{key}\"\"]\",0,a{n},{ru}"
        )
        .unwrap();
    }
    fs::write(&path, text).unwrap();
    let figures = |threads| {
        let capture = read(&path, threads);
        let load = &capture.load;
        let note = capture.notes.iter().find(|note| note.contains("counted together"));
        assert!(note.is_some_and(|note| note.contains("0.01 %")), "{:?}", capture.notes);
        let source = &capture.sources[0];
        assert_eq!((source.rows, source.repeated, source.skipped), (231_000, 0, 0));
        let name = |key| match key {
            RuKey::Named(number) => load.keys.text(number),
            RuKey::NotReported | RuKey::Other => "",
        };
        let mut sums: BTreeMap<String, (f64, u64)> = BTreeMap::new();
        for (cell, sum) in &load.ru {
            let held = sums.entry(name(cell.key).to_owned()).or_default();
            *held = (held.0 + sum.ru, held.1 + sum.records);
        }
        (load.ru_width_s, sums)
    };
    let one = figures(1);
    let expected = [("", (2_100_000.0, 210_000)), ("[\"HOT\"]", (21_000_000.0, 21_000))];
    let expected = expected.map(|(key, sum)| (key.to_owned(), sum));
    assert_eq!(one, (1, BTreeMap::from(expected)));
    assert_eq!(one, figures(4));
}
