//! Placeholder until the key module lands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeyKind { Hash, MultiHash }
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeyVersion { V1, V2 }
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyDefinition { pub paths: Vec<String>, pub kind: KeyKind, pub version: KeyVersion }
pub enum KeyForm { Plain, Respelled(Box<str>), NotReported }
pub fn canonicalise(cell: &str, out: &mut Vec<u8>) -> KeyForm {
    if cell.is_empty() { return KeyForm::NotReported; }
    out.extend_from_slice(cell.as_bytes());
    KeyForm::Plain
}
