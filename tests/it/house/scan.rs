//! A small reader of Rust source: its tokens without comments and literals, the paths it names, its functions.

/// One word or sign of the code. Comments, texts, characters and lifetimes leave no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
}

/// A path as the compiler would read it: `self` and `super` resolved, groups of a `use` spelled out.
#[derive(Debug, PartialEq, Eq)]
pub struct Path {
    pub segments: Vec<String>,
    pub line: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Function<'a> {
    pub name: &'a str,
    pub line: usize,
    /// From the line of `fn` to the line of the closing brace, both counted.
    pub lines: usize,
}

pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let rest = &text[at..];
        let (length, is_code) = piece(rest);
        let text = &rest[..length];
        if is_code {
            found.push(Token { text, line });
        }
        line += text.matches('\n').count();
        at += length;
    }
    found
}

/// The texts of the code, as they are spelled, quotes included.
pub fn strings(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let rest = &text[at..];
        let (length, _) = piece(rest);
        let text = &rest[..length];
        if comment(rest).is_none() && string(rest).is_some() {
            found.push(Token { text, line });
        }
        line += text.matches('\n').count();
        at += length;
    }
    found
}

/// Length in bytes of what `rest` begins with, and whether it is code.
fn piece(rest: &str) -> (usize, bool) {
    if let Some(length) = comment(rest).or_else(|| string(rest)).or_else(|| quoted(rest)) {
        return (length, false);
    }
    let word = word(rest);
    if word > 0 {
        return (word, true);
    }
    if rest.starts_with("::") || rest.starts_with("..") {
        return (2, true);
    }
    let sign = rest.chars().next().map_or(1, char::len_utf8);
    (sign, !rest.starts_with(char::is_whitespace))
}

fn word(rest: &str) -> usize {
    rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
}

fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if !rest.starts_with("/*") {
        return None;
    }
    let (mut at, mut depth) = (0, 0);
    while at < rest.len() {
        let here = &rest[at..];
        if here.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
    }
    Some(at)
}

fn string(rest: &str) -> Option<usize> {
    let prefix =
        rest.find(|c: char| !matches!(c, 'b' | 'c' | 'r')).filter(|&length| length <= 2)?;
    let body = &rest[prefix..];
    if !rest[..prefix].contains('r') {
        return body.strip_prefix('"').map(|inner| prefix + 1 + until(inner, '"'));
    }
    let hashes = body.len() - body.trim_start_matches('#').len();
    let inner = body[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = inner.find(&end).map_or(inner.len(), |found| found + end.len());
    Some(prefix + hashes + 1 + length)
}

/// A character, a byte, or a lifetime.
fn quoted(rest: &str) -> Option<usize> {
    let prefix = usize::from(rest.starts_with("b'"));
    let inner = rest[prefix..].strip_prefix('\'')?;
    let first = inner.chars().next()?;
    let is_character = first == '\\' || inner[first.len_utf8()..].starts_with('\'');
    let length = if is_character { until(inner, '\'') } else { word(inner) };
    Some(prefix + 1 + length)
}

/// Length up to and with the first `end` that no backslash precedes.
fn until(inner: &str, end: char) -> usize {
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        if !escaped && c == end {
            return at + c.len_utf8();
        }
        escaped = !escaped && c == '\\';
    }
    inner.len()
}

/// Every path in the tokens of a file whose own module is `module` (`["crate", "model", "epk"]`).
pub fn paths(tokens: &[Token<'_>], module: &[&str]) -> Vec<Path> {
    let mut found = Vec::new();
    let mut inner: Vec<(&str, usize)> = Vec::new();
    let (mut at, mut depth) = (0, 0_usize);
    while at < tokens.len() {
        let opens_module =
            text(tokens, at) == "mod" && is_word(tokens, at + 1) && text(tokens, at + 2) == "{";
        if opens_module {
            inner.push((text(tokens, at + 1), depth + 1));
            at += 2;
        } else if is_word(tokens, at) && (at == 0 || text(tokens, at - 1) != ".") {
            let mut named = Vec::new();
            let line = tokens[at].line;
            at = tree(tokens, at, Vec::new(), &mut named);
            let here: Vec<&str> =
                module.iter().copied().chain(inner.iter().map(|(name, _)| *name)).collect();
            found.extend(
                named.iter().map(|segments| Path { segments: resolve(segments, &here), line }),
            );
        } else {
            match text(tokens, at) {
                "{" => depth += 1,
                "}" => {
                    inner.retain(|(_, opened)| *opened < depth);
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            at += 1;
        }
    }
    found
}

fn text<'a>(tokens: &[Token<'a>], at: usize) -> &'a str {
    tokens.get(at).map_or("", |token| token.text)
}

fn is_word(tokens: &[Token<'_>], at: usize) -> bool {
    word(text(tokens, at)) > 0
}

/// Reads one path, or one branch of a `use` group, and returns where it ends.
fn tree<'a>(
    tokens: &[Token<'a>],
    mut at: usize,
    mut prefix: Vec<&'a str>,
    found: &mut Vec<Vec<&'a str>>,
) -> usize {
    while at < tokens.len() {
        if text(tokens, at) == "{" {
            at += 1;
            while at < tokens.len() && text(tokens, at) != "}" {
                at = match text(tokens, at) {
                    "as" => at + 2,
                    "," | "::" => at + 1,
                    _ => tree(tokens, at, prefix.clone(), found),
                };
            }
            return at + 1;
        }
        prefix.push(text(tokens, at));
        at += 1;
        let goes_on = text(tokens, at) == "::"
            && (is_word(tokens, at + 1) || matches!(text(tokens, at + 1), "{" | "*"));
        if !goes_on {
            break;
        }
        at += 1;
    }
    found.push(prefix);
    at
}

fn resolve(segments: &[&str], module: &[&str]) -> Vec<String> {
    let relative = matches!(segments.first(), Some(&("self" | "super")));
    let mut whole: Vec<&str> = if relative { module.to_vec() } else { Vec::new() };
    for &segment in segments {
        match segment {
            "self" => {}
            "super" => {
                whole.pop();
            }
            name => whole.push(name),
        }
    }
    whole.into_iter().map(str::to_owned).collect()
}

pub fn functions<'a>(tokens: &[Token<'a>]) -> Vec<Function<'a>> {
    (0..tokens.len())
        .filter(|&at| text(tokens, at) == "fn" && is_word(tokens, at + 1))
        .filter_map(|at| {
            let last = body_end(tokens, at)?;
            Some(Function {
                name: text(tokens, at + 1),
                line: tokens[at].line,
                lines: last - tokens[at].line + 1,
            })
        })
        .collect()
}

/// Line of the brace that closes the function beginning at `at`; none where it has no body.
fn body_end(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for token in &tokens[at..] {
        match token.text {
            ";" if depth == 0 => return None,
            "(" | "[" | "{" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(token.line);
                }
            }
            _ => {}
        }
    }
    None
}

const TEST_ONLY: &[&str] = &["#", "[", "cfg", "(", "test", ")", "]"];

/// What `#[cfg(test)]` stands before: its first and last line, the attribute counted, and its name if it is a module in a file
/// of its own. Items inside of others are not given again.
pub fn test_items<'a>(tokens: &[Token<'a>]) -> Vec<(usize, usize, Option<&'a str>)> {
    let mut found: Vec<(usize, usize, Option<&str>)> = Vec::new();
    for at in 0..tokens.len() {
        let texts = (0..TEST_ONLY.len()).map(|n| text(tokens, at + n));
        let first = tokens[at].line;
        let is_inside = found.last().is_some_and(|(_, last, _)| first < *last);
        if is_inside || !texts.eq(TEST_ONLY.iter().copied()) {
            continue;
        }
        // A comma ends a field, but not what may have commas of its own outside of all brackets.
        let (mut depth, mut is_item) = (0_usize, false);
        let rest = &tokens[at + TEST_ONLY.len()..];
        let end = rest.iter().position(|token| {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                "fn" | "impl" | "mod" | "struct" | "use" => is_item = true,
                _ => {}
            }
            depth == 0 && (matches!(token.text, ";" | "}") || token.text == "," && !is_item)
        });
        let end = end.unwrap_or(rest.len().saturating_sub(1));
        let is_file = end > 1 && rest[end].text == ";" && rest[end - 2].text == "mod";
        let file = is_file.then(|| rest[end - 1].text);
        found.push((first, rest[end].line, file));
    }
    found
}
