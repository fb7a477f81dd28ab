//! A minimal SMTP server on the loopback interface.

use std::net::SocketAddr;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::receiver::PATIENCE;

/// A received e-mail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ReceivedMail {
    /// The sender's login in base64; empty for none.
    pub(crate) login: String,
    /// The sender in the envelope.
    pub(crate) from: String,
    /// The recipients in the envelope.
    pub(crate) to: Vec<String>,
    /// The headers and the body.
    pub(crate) text: String,
}

/// The SMTP server.
#[derive(Debug)]
pub(crate) struct PostOffice {
    /// The address that it listens on.
    pub(crate) address: SocketAddr,
    mails: UnboundedReceiver<ReceivedMail>,
}

impl PostOffice {
    /// Receives e-mails until the test ends, and refuses the first `count` of them.
    pub(crate) async fn refusing(count: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (sender, mails) = unbounded_channel();
        tokio::spawn(async move {
            let mut refusals = count;
            while let Ok((stream, _)) = listener.accept().await {
                let code = if refusals > 0 { "451 not now" } else { "250 taken" };
                refusals = refusals.saturating_sub(1);
                tokio::spawn(serve(stream, code, sender.clone()));
            }
        });
        Self { address, mails }
    }

    /// Returns the settings for sending mail through it.
    pub(crate) fn settings(&self) -> Vec<String> {
        vec![
            "--smtp-host=127.0.0.1".to_owned(),
            format!("--smtp-port={}", self.address.port()),
            "--smtp-encryption=none".to_owned(),
            "--smtp-from=Shop <alerts@shop.example>".to_owned(),
        ]
    }

    /// Waits for the next e-mail, including refused ones.
    pub(crate) async fn next(&mut self) -> ReceivedMail {
        let message = tokio::time::timeout(PATIENCE, self.mails.recv()).await;
        message.expect("an e-mail arrives in time").expect("e-mails arrive")
    }

    /// Returns whether no e-mail is left.
    pub(crate) fn is_quiet(&mut self) -> bool {
        self.mails.try_recv().is_err()
    }
}

async fn serve(stream: TcpStream, code: &str, sender: UnboundedSender<ReceivedMail>) {
    let mut stream = BufReader::new(stream);
    let mut message = ReceivedMail::default();
    let mut reply = "220 post.example".to_owned();
    loop {
        stream.write_all(format!("{reply}\r\n").as_bytes()).await.expect("it listens");
        let mut line = String::new();
        if stream.read_line(&mut line).await.unwrap_or(0) == 0 {
            return;
        }
        let (verb, rest) = line.trim_end().split_once(' ').unwrap_or((line.trim_end(), ""));
        reply = match verb {
            "EHLO" => "250-post.example\r\n250 AUTH PLAIN".to_owned(),
            "AUTH" => {
                rest.trim_start_matches("PLAIN ").clone_into(&mut message.login);
                "235 welcome".to_owned()
            }
            "MAIL" => {
                rest.clone_into(&mut message.from);
                "250 yes".to_owned()
            }
            "RCPT" => {
                message.to.push(rest.to_owned());
                "250 yes".to_owned()
            }
            "DATA" => {
                stream.write_all(b"354 go on\r\n").await.expect("it listens");
                message.text = text(&mut stream).await;
                let _over = sender.send(std::mem::take(&mut message));
                code.to_owned()
            }
            "QUIT" => "221 bye".to_owned(),
            _ => "502 what?".to_owned(),
        };
    }
}

/// Reads until a line with only a dot.
async fn text(stream: &mut BufReader<TcpStream>) -> String {
    let mut text = String::new();
    while !text.ends_with("\r\n.\r\n") {
        if stream.read_line(&mut text).await.unwrap_or(0) == 0 {
            break;
        }
    }
    text
}
