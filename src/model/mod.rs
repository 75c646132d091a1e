//! What is known about an account, as plain values. Names no other module of ours, no clock and no I/O.

/// Makes values equal where their order says so.
macro_rules! equal_by_order {
    ($name:ty) => {
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.cmp(other).is_eq()
            }
        }

        impl Eq for $name {}

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }
    };
}

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
pub mod layout;
pub mod lesson;
pub mod limits;
pub mod load;
pub mod logical;
pub mod moment;
mod murmur;
pub mod names;
pub mod near;
mod number;
pub mod order;
mod paged;
pub mod path;
pub mod physical;
pub mod query_shape;
pub mod query_text;
pub mod random;
pub mod ru_bucket;
pub mod sample;
mod shard;
pub mod short_text;
pub mod template;
pub mod throttle;
pub mod throughput;
pub mod time;
pub mod units;
pub mod visible;
#[cfg(test)]
pub mod work;
