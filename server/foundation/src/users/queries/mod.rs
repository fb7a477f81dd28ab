//! Admins and invitations in the database.

pub(super) mod invites;
pub(super) mod users;
