//! Messages in, state and effects out, of a recording that is replayed.
