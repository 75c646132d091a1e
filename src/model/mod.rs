//! What is known about an account, as plain values. Names no other module of ours, no clock and no I/O.

pub mod account;
mod canonical;
pub mod capture;
pub mod client;
pub mod design;
pub mod documents;
pub mod epk;
pub mod iso;
pub mod key;
mod key_text;
pub mod largest;
pub mod lesson;
pub mod limits;
pub mod load;
pub mod logical;
pub mod moment;
mod murmur;
pub mod names;
pub mod near;
mod number;
mod paged;
pub mod path;
pub mod physical;
pub mod query_shape;
pub mod query_text;
pub mod random;
pub mod ru_bucket;
pub mod sample;
mod shard;
pub mod template;
pub mod throttle;
pub mod time;
pub mod units;
pub mod visible;
mod visible_table;
#[cfg(test)]
pub mod work;
