//! A live account, read and only read: the one place that names the Azure crates. What comes back is told as
//! [`super::answers::Seen`]; nothing here knows what is made of it.

pub mod budget;
pub mod plan;
pub mod session;
pub mod sign_in;
pub mod target;
