//! Patterns for days and instants: `yyyy-mm-dd hh:mm:ss`, `d mmmm yyyy`, `h:mm am/pm`.

use jiff::civil::DateTime;

use super::{PatternError, PatternPiece};

/// A parsed date pattern.
#[derive(Debug)]
pub(super) struct ClockPattern {
    parts: Vec<ClockPart>,
    has_half_days: bool,
}

/// A part of a date, or the text between parts.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ClockPart {
    Text(String),
    Year,
    ShortYear,
    Month { width: usize },
    MonthName,
    ShortMonthName,
    Day { width: usize },
    WeekdayName,
    ShortWeekdayName,
    Hour { width: usize },
    Minute { width: usize },
    Second { width: usize },
    HalfDay,
}

impl ClockPattern {
    pub(super) fn parse(pieces: &[PatternPiece]) -> Result<Self, PatternError> {
        let mut parts: Vec<ClockPart> = Vec::new();
        let mut rest = pieces;
        while let Some((piece, others)) = rest.split_first() {
            if let Some(after) = after_half_day(rest) {
                parts.push(ClockPart::HalfDay);
                rest = after;
                continue;
            }
            match piece {
                PatternPiece::Text(text) => {
                    parts.push(ClockPart::Text(text.clone()));
                    rest = others;
                }
                PatternPiece::Sign(sign) if sign.is_alphanumeric() => {
                    let same = |other: &PatternPiece| matches!(other, PatternPiece::Sign(it) if it.eq_ignore_ascii_case(sign));
                    let length = rest.iter().take_while(|other| same(other)).count();
                    parts.push(part(*sign, length)?);
                    rest = rest.get(length..).unwrap_or_default();
                }
                PatternPiece::Sign(sign) if sign.is_control() => {
                    return Err(PatternError::UnknownLetter(*sign));
                }
                PatternPiece::Sign(sign) => {
                    parts.push(ClockPart::Text(sign.to_string()));
                    rest = others;
                }
            }
        }
        if parts.iter().all(|part| matches!(part, ClockPart::Text(_))) {
            return Err(PatternError::ShowsNothing);
        }
        name_minutes(&mut parts);
        let has_half_days = parts.contains(&ClockPart::HalfDay);
        Ok(Self { parts, has_half_days })
    }

    pub(super) fn show(&self, at: DateTime) -> String {
        self.parts.iter().map(|part| self.shown(part, at)).collect()
    }

    fn shown(&self, part: &ClockPart, at: DateTime) -> String {
        let padded = |number: i8, width: &usize| format!("{number:0>width$}");
        match part {
            ClockPart::Text(text) => text.clone(),
            ClockPart::Year if at.year() < 0 => format!("-{:04}", at.year().unsigned_abs()),
            ClockPart::Year => format!("{:04}", at.year()),
            ClockPart::ShortYear => format!("{:02}", at.year().rem_euclid(100)),
            ClockPart::Month { width } => padded(at.month(), width),
            ClockPart::MonthName => at.strftime("%B").to_string(),
            ClockPart::ShortMonthName => at.strftime("%b").to_string(),
            ClockPart::Day { width } => padded(at.day(), width),
            ClockPart::WeekdayName => at.strftime("%A").to_string(),
            ClockPart::ShortWeekdayName => at.strftime("%a").to_string(),
            ClockPart::Hour { width } if self.has_half_days => {
                // The 12-hour clock counts 12, 1, 2 to 11.
                let hour = at.hour().rem_euclid(12);
                padded(if hour == 0 { 12 } else { hour }, width)
            }
            ClockPart::Hour { width } => padded(at.hour(), width),
            ClockPart::Minute { width } => padded(at.minute(), width),
            ClockPart::Second { width } => padded(at.second(), width),
            ClockPart::HalfDay => if at.hour() < 12 { "AM" } else { "PM" }.to_owned(),
        }
    }
}

fn part(letter: char, width: usize) -> Result<ClockPart, PatternError> {
    match (letter.to_ascii_lowercase(), width) {
        ('y', 1 | 2) => Ok(ClockPart::ShortYear),
        ('y', 4) => Ok(ClockPart::Year),
        ('m', 1 | 2) => Ok(ClockPart::Month { width }),
        ('m', 3) => Ok(ClockPart::ShortMonthName),
        ('m', 4) => Ok(ClockPart::MonthName),
        ('d', 1 | 2) => Ok(ClockPart::Day { width }),
        ('d', 3) => Ok(ClockPart::ShortWeekdayName),
        ('d', 4) => Ok(ClockPart::WeekdayName),
        ('h', 1 | 2) => Ok(ClockPart::Hour { width }),
        ('s', 1 | 2) => Ok(ClockPart::Second { width }),
        _ => Err(PatternError::UnknownLetter(letter)),
    }
}

/// Returns what follows `am/pm`, if the pieces begin with it.
fn after_half_day(pieces: &[PatternPiece]) -> Option<&[PatternPiece]> {
    const MARK: &str = "am/pm";
    let (mark, rest) = pieces.split_at_checked(MARK.len())?;
    let matches = mark.iter().zip(MARK.chars()).all(|(piece, expected)| {
        matches!(piece, PatternPiece::Sign(sign) if sign.to_ascii_lowercase() == expected)
    });
    matches.then_some(rest)
}

/// Reads `mm` next to hours or seconds as minutes.
fn name_minutes(parts: &mut [ClockPart]) {
    let mut numbers =
        parts.iter_mut().filter(|part| !matches!(part, ClockPart::Text(_))).peekable();
    let mut follows_hours = false;
    while let Some(part) = numbers.next() {
        let precedes_seconds = matches!(numbers.peek(), Some(ClockPart::Second { .. }));
        if let ClockPart::Month { width } = *part
            && (follows_hours || precedes_seconds)
        {
            *part = ClockPart::Minute { width };
        }
        follows_hours = matches!(part, ClockPart::Hour { .. });
    }
}
