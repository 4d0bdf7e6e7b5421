//! Parsing and printing of decimal constants.

/// The digits and the scale of a number such as `-12.50`; `None` if it is not a plain decimal number or has
/// more than 38 digits.
pub(crate) fn parse(text: &str) -> Option<(i128, i8)> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() || whole.len() + fraction.len() > 38 {
        return None;
    }
    let mut value: i128 = 0;
    for byte in whole.bytes().chain(fraction.bytes()) {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i128::from(byte - b'0');
    }
    Some((if negative { -value } else { value }, i8::try_from(fraction.len()).ok()?))
}

/// The number as text, with all digits of its scale.
pub(crate) fn print(value: i128, scale: i8) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let digits = value.unsigned_abs().to_string();
    match usize::try_from(scale) {
        Ok(0) => format!("{sign}{digits}"),
        Ok(places) => {
            let padded = format!("{digits:0>width$}", width = places + 1);
            let (whole, fraction) = padded.split_at(padded.len() - places);
            format!("{sign}{whole}.{fraction}")
        }
        Err(_) => format!("{sign}{digits}{}", "0".repeat(usize::from(scale.unsigned_abs()))),
    }
}
