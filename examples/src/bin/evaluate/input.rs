//! The bytes of files and of standard input, unpacked and decoded to UTF-8.

use std::fs::File;
use std::io::{self, BufReader, Cursor, IsTerminal, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8};
use flate2::read::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::failure::Failure;

/// The first bytes of every gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The number of bytes that are decoded at once.
const CHUNK_BYTES: usize = 1 << 16;
/// Shorter waits need no progress bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whether a path stands for standard input.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses to read standard input more than once.
pub(crate) fn demand_one_reader(paths: &[&Path]) -> Result<(), Failure> {
    if paths.iter().filter(|path| is_standard(path)).count() > 1 {
        let hint = Some("`-` can stand for one file of a run");
        return Err(Failure::usage("standard input can be read only once", hint));
    }
    Ok(())
}

/// The text of a file, with a progress bar if reading takes long.
///
/// Without an encoding it is UTF-8, which the caller checks, unless it begins with a UTF-16 byte order
/// mark.
pub(crate) fn open(path: &Path, encoding: Option<&str>) -> io::Result<Box<dyn Read>> {
    let packed: Box<dyn Read> = if is_standard(path) {
        Box::new(io::stdin())
    } else {
        let file = File::open(path)?;
        let length_bytes = file.metadata().map(|metadata| metadata.len())?;
        Box::new(Progress::new(file, length_bytes))
    };
    decoded(unpacked(packed)?, encoding)
}

fn unpacked(packed: Box<dyn Read>) -> io::Result<Box<dyn Read>> {
    let (first, packed) = peeked(packed)?;
    Ok(if first == GZIP {
        Box::new(BufReader::new(MultiGzDecoder::new(BufReader::new(packed))))
    } else {
        Box::new(BufReader::new(packed))
    })
}

fn decoded(text: Box<dyn Read>, encoding: Option<&str>) -> io::Result<Box<dyn Read>> {
    let (first, text) = peeked(text)?;
    let marked = match first {
        [0xff, 0xfe] => Some("utf-16le"),
        [0xfe, 0xff] => Some("utf-16be"),
        _ => None,
    };
    let encoding = encoding.or(marked).and_then(|name| Encoding::for_label(name.as_bytes()));
    Ok(match encoding.filter(|encoding| *encoding != UTF_8) {
        Some(encoding) => Box::new(Decoded::new(text, encoding)),
        None => text,
    })
}

/// The first two bytes, or zeros, and a reader that still has them.
fn peeked(mut reader: Box<dyn Read>) -> io::Result<([u8; 2], Box<dyn Read>)> {
    let mut first = Vec::new();
    Read::by_ref(&mut reader).take(2).read_to_end(&mut first)?;
    let bytes = [first.first().copied(), first.get(1).copied()].map(Option::unwrap_or_default);
    Ok((bytes, Box::new(Cursor::new(first).chain(reader))))
}

/// A reader of UTF-8 over a reader of another encoding.
struct Decoded<R> {
    inner: R,
    decoder: Decoder,
    name: &'static str,
    /// Text that is decoded and not read yet.
    ready: Cursor<Vec<u8>>,
    is_ended: bool,
}

impl<R: Read> Decoded<R> {
    fn new(inner: R, encoding: &'static Encoding) -> Self {
        let (decoder, name) = (encoding.new_decoder(), encoding.name());
        Self { inner, decoder, name, ready: Cursor::default(), is_ended: false }
    }

    /// Decodes the next bytes.
    fn advance(&mut self) -> io::Result<()> {
        let mut encoded = Vec::new();
        let limit = u64::try_from(CHUNK_BYTES).unwrap_or(u64::MAX);
        Read::by_ref(&mut self.inner).take(limit).read_to_end(&mut encoded)?;
        self.is_ended = encoded.len() < CHUNK_BYTES;
        let most = self.decoder.max_utf8_buffer_length_without_replacement(encoded.len());
        let mut text = String::with_capacity(most.unwrap_or(CHUNK_BYTES));
        let (result, _) =
            self.decoder.decode_to_string_without_replacement(&encoded, &mut text, self.is_ended);
        match result {
            DecoderResult::InputEmpty => {
                self.ready = Cursor::new(text.into_bytes());
                Ok(())
            }
            DecoderResult::Malformed(..) | DecoderResult::OutputFull => {
                Err(io::Error::other(format!("it is not {} text", self.name)))
            }
        }
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.ready.read(buffer)?;
            if length > 0 || self.is_ended || buffer.is_empty() {
                return Ok(length);
            }
            self.advance()?;
        }
    }
}

/// A reader that shows its progress.
#[derive(Debug)]
struct Progress<R> {
    inner: R,
    bar: ProgressBar,
    started: Instant,
}

impl<R: Read> Progress<R> {
    /// It appears after a delay, and only on a terminal.
    fn new(inner: R, length_bytes: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(length_bytes), ProgressDrawTarget::hidden());
        Self { inner, bar, started: Instant::now() }
    }
}

impl<R: Read> Read for Progress<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        if self.bar.is_hidden() && self.started.elapsed() > PATIENCE && io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(u64::try_from(length).unwrap_or(0));
        Ok(length)
    }
}

impl<R> Drop for Progress<R> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], encoding: Option<&str>) -> Result<String, String> {
        let mut text = String::new();
        let reader: Box<dyn Read> = Box::new(Cursor::new(bytes.to_vec()));
        decoded(reader, encoding)
            .and_then(|mut reader| reader.read_to_string(&mut text))
            .map(|_length| text)
            .map_err(|error| error.to_string())
    }

    fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn every_encoding_reads_as_utf_8() {
        let text = "id,Straße €\r\n1,Ü\n";
        for (bytes, encoding) in [
            (text.as_bytes().to_vec(), None),
            (text.as_bytes().to_vec(), Some("utf-8")),
            (utf_16(text, u16::to_le_bytes), Some("utf-16")),
            (utf_16(text, u16::to_be_bytes), Some("utf-16be")),
            (b"id,Stra\xdfe \x80\r\n1,\xdc\n".to_vec(), Some("windows-1252")),
        ] {
            assert_eq!(read(&bytes, encoding).as_deref(), Ok(text), "{encoding:?}");
        }
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let marked = utf_16(&format!("\u{feff}{text}"), order);
            assert_eq!(read(&marked, None).as_deref(), Ok(text));
        }
    }

    #[test]
    fn every_encoding_that_a_file_can_name_is_known() {
        for name in quotient::schema::ENCODINGS {
            assert!(Encoding::for_label(name.as_bytes()).is_some(), "{name}");
        }
    }

    #[test]
    fn a_long_text_is_decoded_in_parts_and_a_torn_one_is_refused() {
        let long = "€".repeat(CHUNK_BYTES);
        let mut bytes = utf_16(&long, u16::to_le_bytes);
        assert_eq!(read(&bytes, Some("utf-16")), Ok(long));

        bytes.pop();
        assert_eq!(read(&bytes, Some("utf-16")), Err("it is not UTF-16LE text".to_owned()));
    }
}
