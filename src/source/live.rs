//! A live account, read and only read: the one place that names the Azure crates. What comes back is told as
//! [`super::answers::Seen`]; nothing here knows what is made of it.

pub mod account;
pub mod budget;
pub mod clock;
pub mod counting;
pub mod pages;
pub mod plan;
pub mod sampling;
pub mod scan;
pub mod session;
pub mod sign_in;
pub mod target;

mod driver;
mod fault;
mod feed;
mod hosts;
mod offer;
mod reading;
mod signing;
mod trouble;
mod wire;
