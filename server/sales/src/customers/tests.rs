//! Tests of customers, their addresses and groups.
