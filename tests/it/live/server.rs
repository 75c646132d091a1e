//! Small servers on this machine: a connection takes one request and one answer.

use std::fmt::Display;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

/// A request as it came: its path, and its headers in small letters.
pub struct Request {
    pub path: String,
    pub headers: Vec<String>,
}

/// Gives each request to `answer`, with its connection and the address of the server, which is the result. It ends with the
/// process: it holds nothing but a socket.
pub fn start(answer: impl Fn(Request, TcpStream, &str) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let shared = Arc::new((answer, endpoint.clone()));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (answer, own) = &*shared;
                if let Some(request) = request(&stream) {
                    answer(request, stream, own);
                }
            });
        }
    });
    endpoint
}

/// Reads a request with its body; None where none came.
fn request(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    if reader.read_line(&mut line).unwrap_or(0) == 0 {
        return None;
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header).unwrap_or(0) <= 2 {
            break;
        }
        headers.push(header.to_lowercase());
    }
    let mut lines = headers.iter();
    let length = lines.find_map(|line| line.strip_prefix("content-length:"));
    let length = length.and_then(|text| text.trim().parse().ok());
    // A client that ends early gets no answer.
    let _ = reader.read_exact(&mut vec![0; length.unwrap_or(0)]);
    Some(Request { path, headers })
}

/// Answers with these headers, each with its line end, and a body; whoever does not wait for it misses it.
pub fn reply(mut stream: TcpStream, status: impl Display, headers: &str, body: &str) {
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{body}",
        body.len()
    );
}
