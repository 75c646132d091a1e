//! A live account, read and only read: the one place that names the Azure crates. What comes back is told as
//! [`super::answers::Seen`]; nothing here knows what is made of it.

pub mod budget;
pub mod credential;
pub mod endpoint;
pub mod plan;
pub mod secret;
pub mod session;
pub mod account;
pub mod clock;
pub mod sign_in;
pub mod target;

mod driver;
mod fault;
mod feed;
mod hosts;
mod offer;
mod signing;
mod trouble;
mod wire;
