//! The live source against Microsoft's emulator on this machine: what it reads, and that it only reads.

mod account;
mod amounts;
mod charges;
mod faults;
mod hints;
mod lengths;
mod stage;
mod tokens;
