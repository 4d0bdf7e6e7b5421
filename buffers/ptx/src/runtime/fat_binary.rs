//! The PTX within an object that nvcc compiled: a header of 16 bytes, then entries, of which one is the text.
//! The layout is undocumented; nvcc compresses the text without `--no-compress`.

/// The kind of an entry that is PTX.
const KIND_PTX: u16 = 1;

/// Bytes of a header.
const HEADER: usize = 16;

/// The size of a container, from its header.
pub(super) fn size(header: &[u8; HEADER]) -> Option<usize> {
    number(header, 6, 2)?.checked_add(number(header, 8, 8)?)
}

/// The text in a container, or why there is none.
pub(super) fn ptx(container: &[u8]) -> Result<&str, String> {
    let missing = || "an object has no PTX: is it compiled with code=compute_90?".to_owned();
    let mut at = number(container, 6, 2).ok_or_else(missing)?;
    loop {
        let entry = container.get(at..).filter(|entry| entry.len() >= HEADER).ok_or_else(missing)?;
        let field = |place, bytes| number(entry, place, bytes).ok_or_else(missing);
        let (kind, header, payload) = (field(0, 2)?, field(4, 4)?, field(8, 8)?);
        let end = header.checked_add(payload).ok_or_else(missing)?;
        if kind == usize::from(KIND_PTX) {
            let bytes = entry.get(header..end).ok_or_else(missing)?;
            let text = bytes.split(|byte| *byte == 0).next().unwrap_or(bytes);
            let text = std::str::from_utf8(text).ok().filter(|text| text.contains(".version"));
            return text
                .ok_or_else(|| "an object has compressed PTX: compile it with --no-compress".to_owned());
        }
        at = at.checked_add(end).ok_or_else(missing)?;
    }
}

fn number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(length)?)?;
    let value = field.iter().rev().fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    usize::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::{ptx, size};

    fn container(entries: &[(u16, &[u8])]) -> Vec<u8> {
        let mut all = Vec::new();
        for (kind, payload) in entries {
            all.extend_from_slice(&kind.to_le_bytes());
            all.extend_from_slice(&[0, 0]);
            all.extend_from_slice(&24u32.to_le_bytes());
            all.extend_from_slice(&(payload.len() as u64).to_le_bytes());
            all.extend_from_slice(&[0; 8]);
            all.extend_from_slice(payload);
        }
        let mut container = vec![0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0];
        container.extend_from_slice(&(all.len() as u64).to_le_bytes());
        container.extend(all);
        container
    }

    #[test]
    fn text_is_found_behind_other_entries() {
        let bytes = container(&[(2, b"machine code"), (1, b".version 9.0\0\0\0")]);
        assert_eq!(ptx(&bytes), Ok(".version 9.0"));
        assert_eq!(size(bytes[..16].try_into().unwrap()), Some(bytes.len()));
    }

    #[test]
    fn missing_or_compressed_text_is_an_error() {
        assert!(ptx(&container(&[(2, b"machine code")])).unwrap_err().contains("no PTX"));
        assert!(ptx(&container(&[(1, b"\x28\xb5\x2f\xfd")])).unwrap_err().contains("--no-compress"));
        assert!(ptx(&[]).is_err());
        assert!(ptx(&container(&[(1, b".version")])[..30]).is_err());
    }
}
