//! The terminal itself: taking it over and giving it back, the loop, and the work that the screens ask for.
