//! Schedules the graph as a linear sequence of instructions, with skips over what only one branch
//! needs.

use super::graph::{Graph, Node};
use super::integers;
use super::program::{Instruction, Op, Operand, Program};

/// Instructions that run under the same conditions; the first block always runs.
#[derive(Debug, Clone, Copy)]
struct Block {
    parent: usize,
    depth: usize,
}

/// Blocks, and the block of each node.
struct Blocks {
    all: Vec<Block>,
    of: Vec<Option<usize>>,
    /// The blocks that a choice opens, by its node.
    opened: Vec<Vec<usize>>,
}

impl Blocks {
    /// Returns the innermost block that contains both.
    fn common(&self, mut a: usize, mut b: usize) -> usize {
        // Limit: each step goes one block up.
        while a != b {
            let (of_a, of_b) = (self.block(a), self.block(b));
            if of_a.depth >= of_b.depth {
                a = of_a.parent;
            } else {
                b = of_b.parent;
            }
        }
        a
    }

    fn block(&self, index: usize) -> Block {
        self.all.get(index).copied().unwrap_or(Block { parent: 0, depth: 0 })
    }

    fn open(&mut self, parent: usize) -> usize {
        let depth = self.block(parent).depth.saturating_add(1);
        self.all.push(Block { parent, depth });
        self.all.len().saturating_sub(1)
    }

    /// Sets the blocks that a choice opens.
    fn choice(&mut self, index: usize, blocks: Vec<usize>) {
        if let Some(opened) = self.opened.get_mut(index) {
            *opened = blocks;
        }
    }

    fn uses(&mut self, operand: Operand, block: usize) {
        let joined = match self.of.get(operand.index()).copied().flatten() {
            Some(before) => self.common(before, block),
            None => block,
        };
        if let Some(slot) = self.of.get_mut(operand.index()) {
            *slot = Some(joined);
        }
    }
}

/// Assigns a block to each node that a result needs.
fn blocks(graph: &Graph, results: &[Operand], kept: &[Operand]) -> Blocks {
    let mut blocks = Blocks {
        all: vec![Block { parent: 0, depth: 0 }],
        of: vec![None; graph.nodes.len()],
        opened: vec![Vec::new(); graph.nodes.len()],
    };
    for result in results {
        blocks.uses(*result, 0);
    }
    for operand in kept.iter().filter(|operand| graph.known(**operand).is_some()) {
        blocks.uses(*operand, 0);
    }
    // Users come after their operands, so in reverse order all uses of a node precede it.
    for (index, node) in graph.nodes.iter().enumerate().rev() {
        let (Node::Op(op, _), Some(block)) = (node, blocks.of.get(index).copied().flatten()) else {
            continue;
        };
        match op {
            Op::Choose(condition, then, otherwise) => {
                blocks.uses(*condition, block);
                let (taken, other) = (blocks.open(block), blocks.open(block));
                blocks.uses(*then, taken);
                blocks.uses(*otherwise, other);
                blocks.choice(index, vec![taken, other]);
            }
            Op::Default(value, otherwise) | Op::Given(value, otherwise) => {
                blocks.uses(*value, block);
                let other = blocks.open(block);
                blocks.uses(*otherwise, other);
                blocks.choice(index, vec![other]);
            }
            op => {
                for operand in op.operands() {
                    blocks.uses(operand, block);
                }
            }
        }
    }
    blocks
}

/// The operand of each node of the graph in the program.
pub(super) type Places = Vec<Option<Operand>>;

/// Builds the program that computes `results`, and keeps those of `kept` that are constants.
pub(super) fn program(graph: &Graph, results: &[Operand], kept: &[Operand]) -> (Program, Places) {
    let blocks = blocks(graph, results, kept);
    let mut program = Program::default();
    let mut places: Places = vec![None; graph.nodes.len()];
    let order = order(graph, &blocks);
    let needed = |index: &usize| blocks.of.get(*index).copied().flatten().is_some();
    let leaves: Vec<usize> = (0..graph.nodes.len()).filter(needed).collect();
    for index in &leaves {
        if let Some(Node::Constant(value, currency)) = graph.nodes.get(*index) {
            set(&mut places, *index, Operand::new(program.constants.len()));
            program.constants.push(value.clone());
            program.currencies.push(*currency);
        }
    }
    for index in &leaves {
        if let Some(Node::Slot(slot)) = graph.nodes.get(*index) {
            set(&mut places, *index, program.slot(program.slots.len()));
            program.slots.push(slot.clone());
        }
    }
    for entry in &order {
        if let Entry::Node(index) = entry
            && let Some(Node::Op(_, ty)) = graph.nodes.get(*index)
        {
            set(&mut places, *index, program.register(program.types.len()));
            program.types.push(ty.clone());
        }
    }
    program.code = code(graph, &order, &places);
    let place = |operand: &Operand| places.get(operand.index()).copied().flatten();
    program.results = results.iter().filter_map(place).collect();
    integers::choose(&mut program);
    (program, places)
}

fn set(places: &mut Places, index: usize, operand: Operand) {
    if let Some(slot) = places.get_mut(index) {
        *slot = Some(operand);
    }
}

/// A node to be computed, or the start or end of a block.
enum Entry {
    Node(usize),
    /// The node of a choice, and the number of its block.
    Open(usize, usize),
    Close,
}

/// Work left while ordering nodes.
enum Task {
    Block(usize),
    Entry(Entry),
}

/// Orders the nodes, each block before the choice that it belongs to.
fn order(graph: &Graph, blocks: &Blocks) -> Vec<Entry> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); blocks.all.len()];
    for (index, node) in graph.nodes.iter().enumerate() {
        if let (Node::Op(..), Some(block)) = (node, blocks.of.get(index).copied().flatten())
            && let Some(members) = members.get_mut(block)
        {
            members.push(index);
        }
    }
    let mut entries = Vec::new();
    let mut tasks = vec![Task::Block(0)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Block(block) => {
                for index in members.get(block).into_iter().flatten().rev() {
                    tasks.push(Task::Entry(Entry::Node(*index)));
                    let opened = blocks.opened.get(*index).map_or(&[][..], Vec::as_slice);
                    for (number, inner) in opened.iter().enumerate().rev() {
                        if members.get(*inner).is_some_and(|inner| !inner.is_empty()) {
                            tasks.push(Task::Entry(Entry::Close));
                            tasks.push(Task::Block(*inner));
                            tasks.push(Task::Entry(Entry::Open(*index, number)));
                        }
                    }
                }
            }
            Task::Entry(entry) => entries.push(entry),
        }
    }
    entries
}

fn code(graph: &Graph, order: &[Entry], places: &Places) -> Vec<Instruction> {
    let place = |operand: Operand| {
        places.get(operand.index()).copied().flatten().unwrap_or(Operand(u32::MAX))
    };
    let mut code: Vec<Instruction> = Vec::with_capacity(order.len());
    let mut open: Vec<usize> = Vec::new();
    for entry in order {
        match entry {
            Entry::Node(index) => {
                if let Some(Node::Op(op, _)) = graph.nodes.get(*index) {
                    let to = place(Operand::new(*index));
                    code.push(Instruction::Compute { to, op: op.over(place), integers: None });
                }
            }
            Entry::Open(index, number) => {
                let Some(Node::Op(op, _)) = graph.nodes.get(*index) else { continue };
                let skip = match op {
                    Op::Choose(condition, ..) if *number == 0 => {
                        Instruction::SkipUnless { condition: place(*condition), count: 0 }
                    }
                    Op::Choose(condition, ..) => {
                        Instruction::SkipIf { condition: place(*condition), count: 0 }
                    }
                    Op::Given(value, _) => {
                        Instruction::SkipMissing { value: place(*value), count: 0 }
                    }
                    op => {
                        let value = op.operands().first().copied().unwrap_or(Operand(u32::MAX));
                        Instruction::SkipPresent { value: place(value), count: 0 }
                    }
                };
                open.push(code.len());
                code.push(skip);
            }
            Entry::Close => {
                let Some(start) = open.pop() else { continue };
                let between = code.len().saturating_sub(start).saturating_sub(1);
                let between = u32::try_from(between).unwrap_or(u32::MAX);
                if let Some(
                    Instruction::SkipUnless { count, .. }
                    | Instruction::SkipIf { count, .. }
                    | Instruction::SkipPresent { count, .. }
                    | Instruction::SkipMissing { count, .. },
                ) = code.get_mut(start)
                {
                    *count = between;
                }
            }
        }
    }
    code
}
