//! Queries for admins and invitations.

pub(super) mod invites;
pub(super) mod users;
