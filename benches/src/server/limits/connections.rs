//! Connections that stay open: all of them get answers, and their cost is measured.

#![expect(
    clippy::float_arithmetic,
    reason = "what each connection costs is a measurement, not money"
)]

use std::time::Instant;

use super::{Extent, Target};
use crate::Failure;
use crate::server::Process;
use crate::server::socket::Socket;

#[expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]
pub(super) fn measure(server: &Process, target: &Target, extent: Extent) -> Result<(), Failure> {
    let before = server.resident()?.all;
    let start = Instant::now();
    let mut open: Vec<Socket> = Vec::new();
    for _ in 0..extent.connections {
        let mut socket = target.connect()?;
        answered(&mut socket, target)?;
        open.push(socket);
    }
    let (opened, resident) = (start.elapsed(), server.resident()?.all);
    let again = Instant::now();
    for socket in &mut open {
        answered(socket, target)?;
    }
    let each = resident.saturating_sub(before).checked_div(extent.connections.into()).unwrap_or(0);
    println!(
        "connections: {} open and answered in {:.1} s, all answered again in {:.1} s; resident {} MiB, {:.1} KiB each \
         (goals: 2,048 MiB, 32 KiB)",
        extent.connections,
        opened.as_secs_f64(),
        again.elapsed().as_secs_f64(),
        resident / 1_048_576,
        f64::from(u32::try_from(each).unwrap_or(u32::MAX)) / 1_024.0,
    );
    Ok(())
}

fn answered(socket: &mut Socket, target: &Target) -> Result<(), Failure> {
    match socket.send(&target.request)?.status {
        200 => Ok(()),
        other => Err(format!("an open connection was answered {other}").into()),
    }
}
