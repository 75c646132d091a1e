//! What the screens show: each view with its state, its answers to actions and its drawing.
