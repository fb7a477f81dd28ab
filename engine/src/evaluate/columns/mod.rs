//! One formula over many rows of values at once: columns in, columns out.
//!
//! A [`Batch`] provides a column for each input; the program of a plan runs over blocks of 1,024
//! rows, one operation over the whole block at a time, in scaled integers if the columns are such.
//! A block in which 64 bits do not suffice is recomputed row by row in decimals, as are operations
//! without a kernel, so the answers are those of scalar evaluation in every row. Start at
//! `run::compute`; `lower` chooses the kernels, `step` runs them.
//!
//! Invariants: a column of scaled integers has one scale, whatever scale single values would have;
//! decimals have exactly the scale of scalar evaluation. Answers depend neither on block boundaries
//! nor on the number of threads.

mod batch;
mod call_kernels;
mod chunk;
mod chunk_operations;
mod column;
mod kernel_plan;
mod kernels;
mod linear;
mod lower;
mod output;
mod row_interpreter;
mod run;
mod step;
mod totals;

#[cfg(test)]
mod tests;

pub use batch::Batch;
pub use column::Column;
pub(crate) use run::compute;
pub(crate) use totals::totals;
