//! Small changes to good input of every reader: whatever comes of one, it is an answer, it comes, and it is small.
//!
//! What an input brings is named by what is said of it; `ten_minutes_of_changes` goes on from inputs that brought something
//! new, and with `COSMOSCOPE_UPDATE=1` keeps the small ones in `tests/it/data/corpus`, where every later run reads them.

mod readers;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::random::Random;
use readers::{READERS, Reader};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/corpus");
/// Of each reader, in every run.
const MUTATIONS: u64 = 250;
/// Larger files hold nothing that smaller ones of their shape do not.
pub const MAX_FILE_BYTES: u64 = 25_000;
/// So much of an input is kept for later runs, and so many inputs of a reader.
const MAX_KEPT_BYTES: usize = 4_096;
const MAX_KEPT: usize = 25;
/// So many new inputs of a reader are gone on from.
const MAX_SEEDS: usize = 2_000;
/// How long the long run goes on.
const LONG: Duration = Duration::from_secs(600);
/// Far beyond what any of these inputs takes; what is not back by then will not come.
const PATIENCE: Duration = Duration::from_secs(120);
/// For all tests of this binary at one time; one import of a file that claims too much would pass it at once.
#[cfg(target_os = "linux")]
const MAX_RESIDENT_KIB: u64 = 2 << 20;
/// Bytes that mean something in one of the shapes.
const MARKS: &[u8] = b"\"\\{}[],;\t\n\r\0-.eE09:#=<>()/'\xef\xbb\xbf\xff\x1f\x8b";

fn part(random: &mut Random, len: usize) -> std::ops::Range<usize> {
    let start = random.below(len + 1);
    let longest = (len - start).min(if random.below(4) == 0 { len } else { 40 });
    start..start + random.below(longest + 1)
}

/// One to four changes: bytes flipped or replaced, parts cut out, doubled or put elsewhere, the end cut off.
fn mutated(mut bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    for _ in 0..=random.below(4) {
        let part = part(random, bytes.len());
        match random.below(6) {
            0 if !bytes.is_empty() => {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
            1 if !bytes.is_empty() => {
                let at = random.below(bytes.len());
                bytes[at] = MARKS[random.below(MARKS.len())];
            }
            2 => drop(bytes.drain(part)),
            3 => {
                let copy = bytes[part.clone()].to_vec();
                bytes.splice(part.end..part.end, copy);
            }
            4 => {
                let copy = bytes[part].to_vec();
                let at = random.below(bytes.len() + 1);
                bytes.splice(at..at, copy);
            }
            _ => bytes.truncate(part.end),
        }
    }
    bytes
}

/// A file as it was read before, and its name.
struct Seed {
    name: String,
    bytes: Vec<u8>,
}

/// One of them with changes, by a number.
fn changed(seeds: &[Seed], number: u64) -> Seed {
    let mut random = Random(number);
    let original = random.one_of(seeds);
    Seed { name: original.name.clone(), bytes: mutated(original.bytes.clone(), &mut random) }
}

fn seeds_in(folder: &Path) -> Vec<Seed> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let seed = |path: &PathBuf| Seed {
        name: path.file_name().unwrap().to_str().unwrap().to_owned(),
        bytes: fs::read(path).unwrap(),
    };
    paths.iter().map(seed).collect()
}

/// One thread that reads what it is given, so that an input without an answer ends the test and not the run.
struct Bench {
    reader: &'static Reader,
    give: Sender<(String, Vec<u8>)>,
    answers: std::sync::mpsc::Receiver<readers::Brought>,
}

impl Bench {
    fn of(reader: &'static Reader, folder: Arc<Path>) -> Self {
        let (give, given) = channel::<(String, Vec<u8>)>();
        let (answer, answers) = channel();
        thread::spawn(move || {
            for (name, bytes) in given {
                let brought = (reader.read)(&folder, &name, &bytes);
                if answer.send(brought).is_err() {
                    return;
                }
            }
        });
        Self { reader, give, answers }
    }

    fn read(&self, seed: &Seed, what: &str) -> readers::Brought {
        let reader = self.reader.name;
        let given = (seed.name.clone(), seed.bytes.clone());
        self.give.send(given).expect("a reader that waits");
        match self.answers.recv_timeout(PATIENCE) {
            Ok(brought) => brought,
            Err(RecvTimeoutError::Timeout) => panic!("{reader}: no answer: {what}"),
            Err(RecvTimeoutError::Disconnected) => {
                let kept = std::env::temp_dir().join(format!("cosmoscope-{reader}-{}", seed.name));
                fs::write(&kept, &seed.bytes).unwrap();
                panic!("{reader}: it panicked: {what}; the input is {}", kept.display())
            }
        }
    }
}

/// How many of so many changed inputs were read.
fn mutate(reader: &'static Reader, mutations: u64) -> u64 {
    let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let bench = Bench::of(reader, Arc::from(folder.path()));
    let (kept, mut seeds): (Vec<_>, Vec<_>) = seeds_in(&Path::new(CORPUS).join(reader.name))
        .into_iter()
        .partition(|seed| seed.name.starts_with(|c: char| c.is_ascii_digit()));
    for one in &kept {
        bench.read(one, &format!("{}, as it was kept", one.name));
    }
    seeds.extend((reader.seeds)());
    let mut read = 0;
    for number in 0..mutations {
        let changed = changed(&seeds, number);
        let what = format!("seed {number}, made from {}", changed.name);
        read += u64::from(bench.read(&changed, &what).read);
    }
    read
}

#[test]
fn a_changed_input_is_read_or_refused() {
    for reader in READERS {
        let read = mutate(reader, MUTATIONS);
        // Changes are small: were most inputs refused, their content would not be tested.
        assert!(
            read * 100 >= MUTATIONS * reader.least_read_percent,
            "{}: {read} of {MUTATIONS} were read",
            reader.name
        );
    }
    #[cfg(target_os = "linux")]
    {
        let kib = super::resident::most_resident_kib("self").unwrap();
        assert!(kib < MAX_RESIDENT_KIB, "{kib} KiB");
    }
}

/// Reads changed inputs for its share of the time and goes on from those that brought something new.
fn explore(reader: &'static Reader, time: Duration, first: u64) -> (u64, Vec<Seed>) {
    let folder = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let bench = Bench::of(reader, Arc::from(folder.path()));
    let mut seeds = (reader.seeds)();
    seeds.extend(seeds_in(&Path::new(CORPUS).join(reader.name)));
    let mut known: BTreeSet<String> = BTreeSet::new();
    for seed in &seeds {
        known.insert(bench.read(seed, &seed.name).said);
    }
    let old = seeds.len();
    let began = Instant::now();
    let mut inputs = 0;
    while began.elapsed() < time {
        let number = first.wrapping_add(inputs);
        let changed = changed(&seeds, number);
        let brought = bench.read(&changed, &format!("seed {number}, {}", changed.name));
        inputs += 1;
        if changed.bytes.len() <= usize::try_from(MAX_FILE_BYTES).unwrap()
            && seeds.len() < MAX_SEEDS
            && known.insert(brought.said)
        {
            seeds.push(changed);
        }
    }
    (inputs, seeds.split_off(old))
}

fn keep(reader: &Reader, found: &[Seed]) {
    let folder = Path::new(CORPUS).join(reader.name);
    fs::create_dir_all(&folder).unwrap();
    let room = MAX_KEPT.saturating_sub(seeds_in(&folder).len());
    let small = found.iter().filter(|seed| seed.bytes.len() <= MAX_KEPT_BYTES);
    for (number, seed) in small.take(room).enumerate() {
        let name = seed.name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
        fs::write(folder.join(format!("{number:02}-{name}")), &seed.bytes).unwrap();
    }
}

/// `COSMOSCOPE_SEED` begins it elsewhere; `COSMOSCOPE_UPDATE=1` keeps small inputs that brought something new.
#[test]
#[ignore = "slow: takes ten minutes"]
#[expect(clippy::print_stdout, reason = "who runs it wants to know how far it came")]
fn ten_minutes_of_changes() {
    let first = std::env::var("COSMOSCOPE_SEED").map_or(0, |seed| seed.parse().unwrap());
    let share = LONG / u32::try_from(READERS.len()).unwrap();
    for reader in READERS {
        let (inputs, found) = explore(reader, share, first);
        println!("{}: {inputs} inputs, {} that brought something new", reader.name, found.len());
        assert!(inputs > 0);
        if std::env::var_os("COSMOSCOPE_UPDATE").is_some() {
            keep(reader, &found);
        }
    }
}
