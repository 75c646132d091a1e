//! A live account, read and only read: the one place that names the Azure crates. What comes back is told as
//! [`super::answers::Observation`]; nothing here knows what is made of it.

pub mod account;
mod azure_trouble;
pub mod budget;
pub mod clock;
pub mod counting;
pub mod credential;
pub mod door;
pub mod endpoint;
pub mod exchange;
mod fault;
mod feed;
mod gate;
mod hosts;
pub mod logs;
pub mod management;
mod offer;
pub mod pages;
mod pipeline;
pub mod plan;
pub mod reach;
mod reading;
pub mod sampling;
pub mod scan;
mod sdk;
pub mod secret;
pub mod services;
pub mod session;
pub mod sign_in;
mod signing;
pub mod target;
mod trouble;
mod wire;
