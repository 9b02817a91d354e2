//! B-trees: the cells of a table in their order.

use super::pages::Database;
use super::record::varint;
use std::collections::HashSet;

const INTERIOR_INDEX: u8 = 2;
const INTERIOR_TABLE: u8 = 5;
const LEAF_INDEX: u8 = 10;
const LEAF_TABLE: u8 = 13;

/// Deeper is no tree: every level has at least twice as many pages.
const MAX_DEPTH: usize = 40;
/// The longest record.
const MAX_PAYLOAD: u64 = 256 << 20;

/// What is broken, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SqliteFault {
    pub byte: u64,
    pub reason: String,
}

/// A cell with its record.
#[derive(Debug)]
pub(super) struct SqliteCell {
    /// Id of the row; `None` in tables without.
    pub rowid: Option<i64>,
    /// Where it lies in the file, without what overflows.
    pub offset: u64,
    pub len: u64,
    /// The record.
    pub payload: Vec<u8>,
}

/// Goes through a tree; what is broken is given in its place, and what stands behind it comes all the same.
pub(super) struct BTreeWalk<'a> {
    database: &'a Database,
    /// Whether it is the tree of a table, not of an index (as tables without row ids are).
    is_table: bool,
    levels: Vec<TreeLevel>,
    /// Pages that were entered: none is entered twice, so that every walk ends.
    seen: HashSet<u32>,
    /// The page to begin with.
    root: Option<u32>,
}

/// A page on the way from the root.
struct TreeLevel {
    number: u32,
    page: Vec<u8>,
    /// Where the header of the page stands in it.
    head: usize,
    kind: u8,
    n_cells: usize,
    /// Bytes of the cells that were read: more than a page has are no cells of it.
    n_read: u64,
    /// The next step: of an inner page, even ones are children, odd ones the cells between them.
    step: usize,
}

/// What the next step of a walk is.
enum BTreeStep {
    Child(u32),
    Cell(Result<SqliteCell, SqliteFault>),
    Pass,
    Up,
}

impl<'a> BTreeWalk<'a> {
    /// The cells of the tree with this root.
    pub(super) fn new(database: &'a Database, root: u32, is_table: bool) -> Self {
        Self { database, is_table, levels: Vec::new(), seen: HashSet::new(), root: Some(root) }
    }

    fn enter(&mut self, number: u32) -> Result<(), SqliteFault> {
        let byte = self.database.start_of(number);
        let fault = |reason: &str| SqliteFault { byte, reason: format!("page {number} {reason}") };
        if !self.seen.insert(number) {
            return Err(fault("is named twice in one table"));
        }
        if self.levels.len() >= MAX_DEPTH {
            return Err(fault("lies too deep"));
        }
        let page = self.database.page(number)?;
        let level = TreeLevel::new(number, page);
        let level = level.filter(|level| {
            let kinds = [LEAF_TABLE, INTERIOR_TABLE];
            let of_index = [LEAF_INDEX, INTERIOR_INDEX];
            (if self.is_table { kinds } else { of_index }).contains(&level.kind)
        });
        self.levels.push(level.ok_or_else(|| fault("is no page of a table"))?);
        Ok(())
    }
}

impl Iterator for BTreeWalk<'_> {
    type Item = Result<SqliteCell, SqliteFault>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(root) = self.root.take()
            && let Err(fault) = self.enter(root)
        {
            return Some(Err(fault));
        }
        loop {
            match self.levels.last_mut()?.next(self.database, &mut self.seen) {
                BTreeStep::Child(number) => {
                    if let Err(fault) = self.enter(number) {
                        return Some(Err(fault));
                    }
                }
                BTreeStep::Cell(cell) => return Some(cell),
                BTreeStep::Pass => {}
                BTreeStep::Up => {
                    self.levels.pop();
                }
            }
        }
    }
}

impl TreeLevel {
    fn new(number: u32, page: Vec<u8>) -> Option<Self> {
        let head = head_of(number);
        let kind = *page.get(head)?;
        let n_cells = usize::from(u16_at(&page, head + 3)?);
        Some(Self { number, page, head, kind, n_cells, n_read: 0, step: 0 })
    }

    fn next(&mut self, database: &Database, seen: &mut HashSet<u32>) -> BTreeStep {
        let step = self.step;
        self.step += 1;
        match self.kind {
            LEAF_TABLE | LEAF_INDEX => match step < self.n_cells {
                true => BTreeStep::Cell(self.cell(database, step, seen)),
                false => BTreeStep::Up,
            },
            _ if step == 2 * self.n_cells => u32_at(&self.page, self.head + 8)
                .map_or_else(|| BTreeStep::Cell(Err(self.fault(database))), BTreeStep::Child),
            _ if step > 2 * self.n_cells => BTreeStep::Up,
            _ if step.is_multiple_of(2) => {
                let child = self.place(step / 2).and_then(|at| u32_at(&self.page, at));
                child.map_or_else(|| BTreeStep::Cell(Err(self.fault(database))), BTreeStep::Child)
            }
            INTERIOR_INDEX => BTreeStep::Cell(self.cell(database, step / 2, seen)),
            // In a table the cells of inner pages are only signposts.
            _ => BTreeStep::Pass,
        }
    }

    /// Where cell `nth` stands in the page.
    fn place(&self, nth: usize) -> Option<usize> {
        let is_leaf = matches!(self.kind, LEAF_TABLE | LEAF_INDEX);
        let list = self.head + if is_leaf { 8 } else { 12 };
        u16_at(&self.page, list + 2 * nth).map(usize::from)
    }

    fn fault(&self, database: &Database) -> SqliteFault {
        let reason = format!("page {} names a cell that is not in it", self.number);
        SqliteFault { byte: database.start_of(self.number), reason }
    }

    fn cell(
        &mut self,
        database: &Database,
        nth: usize,
        seen: &mut HashSet<u32>,
    ) -> Result<SqliteCell, SqliteFault> {
        let place = self.place(nth).ok_or_else(|| self.fault(database))?;
        let page = SqlitePage { number: self.number, bytes: &self.page, kind: self.kind };
        let cell = cell_at(database, page, place, seen)?;
        self.n_read += cell.len;
        match self.n_read > database.page_size {
            true => Err(self.fault(database)),
            false => Ok(cell),
        }
    }
}

/// The cell at byte `offset` of the file.
///
/// # Errors
/// When there is none.
pub(super) fn cell_of(database: &Database, offset: u64) -> Result<SqliteCell, SqliteFault> {
    let fault = || SqliteFault { byte: offset, reason: "there is no row here".to_owned() };
    let number = u32::try_from(offset / database.page_size + 1).map_err(|_far| fault())?;
    let page = database.page(number)?;
    let kind = page.get(head_of(number)).copied().ok_or_else(fault)?;
    let place = usize::try_from(offset % database.page_size).map_err(|_far| fault())?;
    if !matches!(kind, LEAF_TABLE | LEAF_INDEX | INTERIOR_INDEX) {
        return Err(fault());
    }
    cell_at(database, SqlitePage { number, bytes: &page, kind }, place, &mut HashSet::new())
}

/// A page with cells.
struct SqlitePage<'a> {
    number: u32,
    bytes: &'a [u8],
    kind: u8,
}

/// The cell at `place` of a page. `seen`: pages that belong to others.
fn cell_at(
    database: &Database,
    SqlitePage { number, bytes: page, kind }: SqlitePage<'_>,
    place: usize,
    seen: &mut HashSet<u32>,
) -> Result<SqliteCell, SqliteFault> {
    let offset = database.start_of(number) + place as u64;
    let fault = |reason: &str| SqliteFault { byte: offset, reason: reason.to_owned() };
    let broken = || fault("a row is broken");
    let mut at = if kind == INTERIOR_INDEX { place + 4 } else { place };
    let number_at = |at: &mut usize| {
        let (value, n) = page.get(*at..).and_then(varint)?;
        *at += n;
        Some(value)
    };
    let n_payload = number_at(&mut at).ok_or_else(broken)?;
    let is_table = kind == LEAF_TABLE;
    let rowid =
        if is_table { Some(number_at(&mut at).ok_or_else(broken)?.cast_signed()) } else { None };
    if n_payload > MAX_PAYLOAD.min(database.file.len()) {
        return Err(fault("a row says that it is longer than the file"));
    }
    let n_payload = usize::try_from(n_payload).map_err(|_long| broken())?;
    let n_local = local(n_payload, database.usable, is_table);
    let own = page.get(at..at + n_local).ok_or_else(broken)?;
    let mut payload = own.to_vec();
    let mut end = at + n_local;
    if n_local < n_payload {
        let mut next = u32_at(page, end).ok_or_else(broken)?;
        end += 4;
        while payload.len() < n_payload {
            if !seen.insert(next) {
                return Err(fault("a row goes on in a page of another one"));
            }
            let page = database.page(next).map_err(|err| SqliteFault { byte: offset, ..err })?;
            let wanted = (n_payload - payload.len()).min(database.usable - 4);
            payload.extend(page.get(4..4 + wanted).ok_or_else(broken)?);
            next = u32_at(&page, 0).ok_or_else(broken)?;
        }
    }
    Ok(SqliteCell { rowid, offset, len: (end - place) as u64, payload })
}

/// How many bytes of a record stand in the page itself.
fn local(n_payload: usize, usable: usize, is_table: bool) -> usize {
    let most = if is_table { usable - 35 } else { (usable - 12) * 64 / 255 - 23 };
    if n_payload <= most {
        return n_payload;
    }
    let least = (usable - 12) * 32 / 255 - 23;
    let fitting = least + (n_payload - least) % (usable - 4);
    if fitting <= most { fitting } else { least }
}

/// Where the header of a page stands: on the first one behind that of the file.
fn head_of(number: u32) -> usize {
    if number == 1 { 100 } else { 0 }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}
