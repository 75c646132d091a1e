//! Inputs that the benches make: the same rows for the same numbers.

use std::io::Write as _;

/// Spreads row numbers over the keys.
const SPREAD: u64 = 2_654_435_761;

pub fn key(n: u64) -> String {
    match n % 4 {
        0 => format!("[{n}]"),
        1 => format!("[\"tenant-{}\",\"user-{n:06}\"]", n % 97),
        _ => format!("[\"PLANT-{}-{n}\"]", n % 31),
    }
}

/// Statistics as Log Analytics exports them.
pub fn csv(rows: u64, keys: u64) -> Vec<u8> {
    let mut out =
        b"TimeGenerated,AccountName,DatabaseName,CollectionName,PartitionKey,SizeKb,RegionName\n"
            .to_vec();
    for row in 0..rows {
        let cell = key(row.wrapping_mul(SPREAD) % keys).replace('"', "\"\"");
        let (day, second, size) = (1 + row % 28, row % 60, 1_000_000 + row);
        writeln!(out, "2026-06-{day:02}T02:10:{second:02}.0000000Z,bench,shop,orders,\"{cell}\",{size},West Europe").unwrap();
    }
    out
}

/// The same as a storage account keeps them.
pub fn json_lines(rows: u64, keys: u64) -> Vec<u8> {
    let mut out = Vec::new();
    for row in 0..rows {
        let cell = key(row.wrapping_mul(SPREAD) % keys).replace('"', "\\\"");
        let (day, second, size) = (1 + row % 28, row % 60, 1_000_000 + row);
        writeln!(
            out,
            "{{\"time\":\"2026-06-{day:02}T02:10:{second:02}.0000000Z\",\"resourceId\":\"/SUBSCRIPTIONS/S/DATABASEACCOUNTS/BENCH\",\
             \"category\":\"PartitionKeyStatistics\",\"properties\":{{\"regionName\":\"West Europe\",\"databaseName\":\"shop\",\
             \"collectionName\":\"orders\",\"partitionKey\":\"{cell}\",\"sizeKb\":{size}}}}}"
        )
        .unwrap();
    }
    out
}
