//! Which partition a record speaks of: by range id, by physical partition id or by GUID; and what each can give.
