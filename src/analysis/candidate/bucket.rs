//! The bucket of a text, the same in every language: FNV-1a over its UTF-8 bytes, mixed once, modulo the buckets.

/// The bucket of a text, from 1 to `buckets`.
pub fn bucket(text: &str, buckets: u32) -> u32 {
    let mut hash: u32 = 2_166_136_261;
    for byte in text.bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(16_777_619);
    }
    hash = (hash ^ (hash >> 16)).wrapping_mul(2_246_822_507);
    hash ^= hash >> 13;
    1 + hash % buckets.max(1)
}
