//! The bucket function as an application writes it, in the languages that have a client for the service.

/// A language and the function that gives what `bucket(path, n)` gives, for the value's text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BucketCode {
    pub language: &'static str,
    pub code: &'static str,
}

/// Each takes the value's text: a text as it stands, a number in its shortest decimal text, `true` or `false`.
pub const BUCKET_CODE: [BucketCode; 5] = [
    BucketCode {
        language: "C#",
        code: C_SHARP,
    },
    BucketCode {
        language: "Java",
        code: JAVA,
    },
    BucketCode {
        language: "Python",
        code: PYTHON,
    },
    BucketCode {
        language: "JavaScript",
        code: JAVASCRIPT,
    },
    // The function that the program itself calls.
    BucketCode {
        language: "Rust",
        code: include_str!("bucket.rs"),
    },
];

const C_SHARP: &str = "\
static uint Bucket(string text, uint buckets)
{
    unchecked
    {
        uint hash = 2166136261;
        foreach (byte b in System.Text.Encoding.UTF8.GetBytes(text))
            hash = (hash ^ b) * 16777619;
        hash = (hash ^ (hash >> 16)) * 2246822507;
        hash ^= hash >> 13;
        return 1 + hash % buckets;
    }
}
";

const JAVA: &str = "\
static int bucket(String text, int buckets) {
    int hash = 0x811c9dc5;
    for (byte b : text.getBytes(java.nio.charset.StandardCharsets.UTF_8)) {
        hash = (hash ^ (b & 0xff)) * 16777619;
    }
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash ^= hash >>> 13;
    return 1 + Integer.remainderUnsigned(hash, buckets);
}
";

const PYTHON: &str = "\
def bucket(text: str, buckets: int) -> int:
    value = 2166136261
    for byte in text.encode(\"utf-8\"):
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    value = (value ^ value >> 16) * 2246822507 & 0xFFFFFFFF
    value ^= value >> 13
    return 1 + value % buckets
";

const JAVASCRIPT: &str = "\
function bucket(text, buckets) {
  let hash = 2166136261;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 16777619);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
  hash ^= hash >>> 13;
  return 1 + ((hash >>> 0) % buckets);
}
";
