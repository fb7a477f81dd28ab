//! Manual pages: Markdown whose blocks are executed.
//!
//! The line `Store:` of a page names its store and period. Its `formula` blocks are computed in
//! order; a line in italics before one changes the request (see `request`). A `context` block
//! provides a record for the formulas after it, a `metrics` block a formula file, both until the
//! next heading. The output of a block is below it: a `result`, a `diagnostic`, or both. Start at
//! [`run`].

mod answer;
mod blocks;
pub(crate) mod rates;
mod request;
mod session;

use blocks::{Block, Fence, blocks};
use session::{Output, Session};

/// Kinds of blocks that are not run.
const SHOWN: [&str; 3] = ["text", "sql", "console"];

/// The outcome of running a page.
#[derive(Debug)]
pub(crate) struct Page {
    /// The page as it should be.
    pub(crate) text: String,
    /// The problems of the page as it is.
    pub(crate) findings: Vec<Finding>,
}

/// Something wrong with a page.
#[derive(Debug)]
pub(crate) struct Finding {
    page: String,
    line: usize,
    message: String,
    /// Whether rewriting the page fixes it.
    pub(crate) is_stale: bool,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { page, line, message, .. } = self;
        write!(formatter, "fixtures/manual/{page}:{line}: {message}")
    }
}

/// Runs the page called `name`.
pub(crate) fn run(name: &str, text: &str) -> Page {
    let mut runner = Runner {
        name: name.to_owned(),
        session: Session::default(),
        text: String::new(),
        findings: Vec::new(),
        executed: 0,
    };
    match blocks(text) {
        Ok(blocks) => runner.blocks(&blocks),
        Err(line) => {
            runner.find(line, "the block is never closed".to_owned());
            text.clone_into(&mut runner.text);
        }
    }
    Page { text: runner.text, findings: runner.findings }
}

struct Runner {
    name: String,
    session: Session,
    text: String,
    findings: Vec<Finding>,
    executed: usize,
}

impl Runner {
    fn find(&mut self, line: usize, message: String) {
        self.findings.push(Finding { page: self.name.clone(), line, message, is_stale: false });
    }

    fn blocks(&mut self, blocks: &[Block<'_>]) {
        let mut rest = blocks;
        while let Some((block, after)) = rest.split_first() {
            rest = after;
            match block {
                Block::Line(line, text) => self.line(*line, text),
                Block::Fence(fence) => rest = self.fence(fence, after),
            }
        }
        if self.executed == 0 && self.findings.is_empty() {
            self.find(1, "nothing on this page is executed".to_owned());
        }
    }

    fn line(&mut self, line: usize, text: &str) {
        if let Err(message) = self.session.line(text) {
            self.find(line, message);
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Runs a block; returns what follows it and its output.
    fn fence<'b>(&mut self, fence: &Fence<'_>, after: &'b [Block<'b>]) -> &'b [Block<'b>] {
        fence.write(&mut self.text);
        let outcome = match fence.kind {
            "formula" => self.session.formula(&fence.body),
            "metrics" => Ok(self.session.metrics(&fence.body)),
            "context" => self.session.context(&fence.body),
            "result" | "diagnostic" => {
                Err(format!("a `{}` without a formula before it", fence.kind))
            }
            kind if SHOWN.contains(&kind) => Ok(Vec::new()),
            kind => Err(format!("a block of kind `{kind}` is not known")),
        };
        match outcome {
            Ok(outputs) if matches!(fence.kind, "formula" | "metrics" | "context") => {
                self.executed = self.executed.saturating_add(1);
                self.outputs(fence, &outputs, after)
            }
            Ok(_) => after,
            Err(message) => {
                self.find(fence.line, message);
                after
            }
        }
    }

    /// Writes the outputs and compares them with the existing ones.
    fn outputs<'b>(
        &mut self,
        fence: &Fence<'_>,
        outputs: &[Output],
        after: &'b [Block<'b>],
    ) -> &'b [Block<'b>] {
        let (printed, after) = printed(after);
        for output in outputs {
            let there = printed.iter().find(|block| block.kind == output.kind);
            let (line, body) = there.map_or((fence.line, ""), |block| (block.line, &block.body));
            if body != output.body {
                let message = format!(
                    "the page and the engine differ\n{}{}",
                    marked('-', body),
                    marked('+', &output.body)
                );
                self.findings.push(Finding {
                    page: self.name.clone(),
                    line,
                    message,
                    is_stale: true,
                });
            }
            Fence { kind: output.kind, line, body: output.body.clone() }.write(&mut self.text);
        }
        for block in printed {
            if !outputs.iter().any(|output| output.kind == block.kind) {
                let message =
                    format!("the engine gives no {}\n{}", block.kind, marked('-', &block.body));
                let page = self.name.clone();
                self.findings.push(Finding { page, line: block.line, message, is_stale: true });
            }
        }
        after
    }
}

/// The outputs that follow a block, with only blank lines between, and what comes after.
fn printed<'b>(after: &'b [Block<'b>]) -> (Vec<&'b Fence<'b>>, &'b [Block<'b>]) {
    let mut found = Vec::new();
    let mut rest = after;
    loop {
        let blank = rest.iter().take_while(|block| matches!(block, Block::Line(_, ""))).count();
        match rest.get(blank) {
            Some(Block::Fence(fence)) if matches!(fence.kind, "result" | "diagnostic") => {
                found.push(fence);
                rest = rest.get(blank.saturating_add(1)..).unwrap_or_default();
            }
            _ => return (found, rest),
        }
    }
}

fn marked(mark: char, body: &str) -> String {
    let lines: Vec<String> = body.lines().map(|line| format!("{mark} {line}\n")).collect();
    lines.concat()
}
