//! A page cut into lines and fenced blocks.

/// A line of prose, or a fenced block.
#[derive(Debug)]
pub(crate) enum Block<'t> {
    /// A line outside of blocks, with its number.
    Line(usize, &'t str),
    /// A block.
    Fence(Fence<'t>),
}

/// A fenced block.
#[derive(Debug)]
pub(crate) struct Fence<'t> {
    /// The word after the backticks.
    pub(crate) kind: &'t str,
    /// The number of the line that opens it.
    pub(crate) line: usize,
    /// Its content, without the final newline.
    pub(crate) body: String,
}

impl Fence<'_> {
    /// Writes the block in the format of a page.
    pub(crate) fn write(&self, page: &mut String) {
        for part in ["```", self.kind, "\n", self.body.as_str(), "\n```\n"] {
            page.push_str(part);
        }
    }
}

/// The blocks of a page, or the line of an unclosed block.
pub(crate) fn blocks(text: &str) -> Result<Vec<Block<'_>>, usize> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else {
            blocks.push(Block::Line(number, line));
            continue;
        };
        let mut body = Vec::new();
        loop {
            match lines.next() {
                Some(("```", _)) => break,
                Some((line, _)) => body.push(line),
                None => return Err(number),
            }
        }
        let body = body.join("\n");
        blocks.push(Block::Fence(Fence { kind: kind.trim(), line: number, body }));
    }
    Ok(blocks)
}
