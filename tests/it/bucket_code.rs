//! The bucket function as applications get it, run where its language is, against the one that the program calls.
//!
//! Python is needed anyway. For the others: `cargo test --test it bucket_code -- --ignored`. No compiler of C# is looked for.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use cosmoscope::analysis::candidate::MAX_BUCKETS;
use cosmoscope::analysis::candidate::bucket::bucket;
use tempfile::TempDir;

use super::random::Random;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Characters of one to four bytes, some of which mean something to one language or another.
const CHARACTERS: [char; 16] = [
    'a',
    'Z',
    '7',
    '-',
    ' ',
    '"',
    '\\',
    '\0',
    '\n',
    'Ä',
    'ß',
    '\u{7ff}',
    '漢',
    '\u{feff}',
    '🚗',
    '\u{10ffff}',
];

const PYTHON: &str = r"
import sys
for line in sys.stdin:
    buckets, text = line.rstrip('\n').split(' ')
    print(bucket(bytes.fromhex(text).decode('utf-8'), int(buckets)))
";

const JAVASCRIPT: &str = r"
for (const line of require('fs').readFileSync(0, 'latin1').trimEnd().split('\n')) {
  const [buckets, text] = line.split(' ');
  console.log(bucket(Buffer.from(text, 'hex').toString('utf8'), Number(buckets)));
}
";

const JAVA: &str = r#"
public static void main(String[] none) {
    var lines = new java.util.Scanner(System.in);
    while (lines.hasNextLine()) {
        String[] parts = lines.nextLine().split(" ", -1);
        byte[] bytes = new byte[parts[1].length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(parts[1].substring(2 * i, 2 * i + 2), 16);
        }
        String text = new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
        System.out.println(bucket(text, Integer.parseInt(parts[0])));
    }
}
"#;

/// Texts of up to forty characters, and into how many buckets.
fn cases() -> Vec<(String, u32)> {
    let mut random = Random(20_260_622);
    let case = |length: usize| {
        let text = (0..length).map(|_| *random.one_of(&CHARACTERS)).collect();
        let most = *random.one_of(&[1, 2, 16, 400, MAX_BUCKETS]);
        (text, most)
    };
    (0..41).cycle().take(500).map(case).collect()
}

/// As `cosmoscope help buckets` shows it.
fn code(language: &str) -> String {
    let page = fs::read_to_string(format!("{ROOT}/assets/help/buckets.md")).unwrap();
    assert!(page.is_ascii());
    let found =
        page.split("\n## ").find_map(|part| part.strip_prefix(language)?.strip_prefix("\n"));
    let lines = found.unwrap().lines();
    lines.map(|line| line.strip_prefix("    ").unwrap_or(line).to_owned() + "\n").collect()
}

/// Runs a program that reads each case as a line, the text in hexadecimal digits, and writes its bucket.
fn assert_same(interpreter: &str, file: &str, program: &str) {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::write(folder.path().join(file), program).unwrap();
    let cases = cases();
    let mut lines = String::new();
    let mut expected = String::new();
    for (text, buckets) in &cases {
        let _ = write!(lines, "{buckets} ");
        for byte in text.bytes() {
            let _ = write!(lines, "{byte:02x}");
        }
        lines.push('\n');
        let _ = writeln!(expected, "{}", bucket(text, *buckets));
    }
    let mut child = Command::new(interpreter)
        .arg(file)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{interpreter} does not start: {e}"));
    // The answers of all cases fit into a pipe: it can be written to the end before anything is read.
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let found = String::from_utf8(output.stdout).unwrap();
    let found: Vec<&str> = found.lines().collect();
    let expected: Vec<&str> = expected.lines().collect();
    assert!(output.status.success() && found.len() == cases.len(), "{interpreter} gave {found:?}");
    for (case, (found, expected)) in cases.iter().zip(found.into_iter().zip(expected)) {
        assert_eq!(found, expected, "{case:?}");
    }
}

#[test]
fn python_gives_the_same_buckets() {
    assert_same("python3", "bucket.py", &format!("{}{PYTHON}", code("Python")));
}

#[test]
#[ignore = "needs node"]
fn javascript_gives_the_same_buckets() {
    let program = format!("{}{JAVASCRIPT}", code("JavaScript"));
    assert_same("node", "bucket.cjs", &program);
}

#[test]
#[ignore = "needs a JDK, version 11 or newer"]
fn java_gives_the_same_buckets() {
    let program = format!("class Bucket {{\n{}{JAVA}}}\n", code("Java"));
    assert_same("java", "Bucket.java", &program);
}

#[test]
fn the_program_itself_calls_the_function_for_rust() {
    let own = fs::read_to_string(format!("{ROOT}/src/analysis/candidate/bucket.rs")).unwrap();
    let code = code("Rust");
    let mut lines = code.lines().filter(|line| !line.is_empty());
    assert!(lines.clone().count() > 5 && lines.all(|line| own.contains(line)), "{code}");
}
