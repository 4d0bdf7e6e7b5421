//! PTX text to tokens.

/// A word, number, string or mark, and its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) line: u32,
}

/// All tokens of a text without its comments. An opcode with its modifiers is one token, and so is a number
/// with its sign.
pub(super) fn lex(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while at < bytes.len() {
        let (end, is_token) = token_end(bytes, at);
        if is_token {
            tokens.push(Token { text: &text[at..end], line });
        }
        line += text[at..end].matches('\n').count() as u32;
        at = end;
    }
    tokens
}

/// The end of the token, comment or blank at `at`, and whether it is a token.
fn token_end(bytes: &[u8], at: usize) -> (usize, bool) {
    let find = |from: usize, what: &dyn Fn(usize) -> bool| {
        (from..bytes.len()).find(|at| what(*at)).unwrap_or(bytes.len())
    };
    match bytes[at] {
        byte if byte.is_ascii_whitespace() => (at + 1, false),
        b'/' if bytes.get(at + 1) == Some(&b'/') => (find(at, &|at| bytes[at] == b'\n'), false),
        b'/' if bytes.get(at + 1) == Some(&b'*') => {
            let end = find(at + 3, &|at| bytes[at - 1] == b'*' && bytes[at] == b'/');
            ((end + 1).min(bytes.len()), false)
        }
        b'"' => ((find(at + 1, &|at| bytes[at] == b'"') + 1).min(bytes.len()), true),
        b'-' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => (word_end(bytes, at + 1), true),
        byte if is_word(byte) => (word_end(bytes, at), true),
        // A text is cut between characters only.
        _ => (find(at + 1, &|at| bytes[at] & 0xc0 != 0x80), true),
    }
}

fn word_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(byte) if is_word(*byte) => at += 1,
            // `ld.global.L1::no_allocate.u32`
            Some(b':') if bytes.get(at + 1) == Some(&b':') => at += 2,
            _ => return at,
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%' | b'.')
}

/// The bits of a number: decimal, hexadecimal or octal, or the bits of a float (`0f3F800000`, `0d…`).
pub(super) fn number(token: &str) -> Option<u64> {
    let (is_negative, digits) = token.strip_prefix('-').map_or((false, token), |rest| (true, rest));
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let digits = digits.strip_suffix('U').unwrap_or(digits);
    let float = |prefixes: [&str; 2]| prefixes.iter().find_map(|prefix| digits.strip_prefix(prefix));
    let value = if let Some(bits) = float(["0f", "0F"]) {
        u32::from_str_radix(bits, 16).ok().filter(|_| !is_negative)?.into()
    } else if let Some(bits) = float(["0d", "0D"]) {
        u64::from_str_radix(bits, 16).ok().filter(|_| !is_negative)?
    } else if let Some(digits) = float(["0x", "0X"]) {
        u64::from_str_radix(digits, 16).ok()?
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(digits, 8).ok()?
    } else {
        digits.parse().ok()?
    };
    Some(if is_negative { value.wrapping_neg() } else { value })
}

#[cfg(test)]
mod tests {
    use super::{lex, number};

    #[test]
    fn tokens_keep_their_lines() {
        let tokens = lex("ld.global.L1::no_allocate.u32 %r1, [%rd2+-8]; // end\n/* a\nb */ $L__1: \"x y\"");
        let texts: Vec<_> = tokens.iter().map(|token| token.text).collect();
        let expected = [
            "ld.global.L1::no_allocate.u32",
            "%r1",
            ",",
            "[",
            "%rd2",
            "+",
            "-8",
            "]",
            ";",
            "$L__1",
            ":",
            "\"x y\"",
        ];
        assert_eq!(texts, expected);
        assert_eq!(
            tokens.iter().map(|token| token.line).collect::<Vec<_>>(),
            [1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3]
        );
    }

    #[test]
    fn unfinished_comments_and_strings_end_with_the_text() {
        assert!(lex("/* a").is_empty());
        assert!(lex("/*/").is_empty());
        assert_eq!(lex("\"é").len(), 1);
        assert_eq!(lex("é-").len(), 2);
    }

    #[test]
    fn numbers_are_bits() {
        assert_eq!(number("-8"), Some(8u64.wrapping_neg()));
        assert_eq!(number("0x1FU"), Some(31));
        assert_eq!(number("0f3F800000"), Some(u64::from(1f32.to_bits())));
        assert_eq!(number("0d3FF0000000000000"), Some(1f64.to_bits()));
        assert_eq!(number("010"), Some(8));
        assert_eq!(number("0"), Some(0));
        assert_eq!(number("%r1"), None);
        assert_eq!(number("-0f3F800000"), None);
    }
}
