//! Loads, stores and atomics of every type and space, against bytes and plain arithmetic.

use crate::testing::{Array, kernel, launch};

const PATTERN: u64 = 0x8182_83f4_8596_a788;

/// A load of each type, width and space from known bytes.
#[test]
fn loads_extend_as_their_types_say() {
    for (ty, bits, register) in [
        ("u8", 8, "%s0"),
        ("s8", 8, "%s0"),
        ("u8", 8, "%r0"),
        ("s8", 8, "%r0"),
        ("b8", 8, "%d0"),
        ("s8", 8, "%d0"),
        ("u16", 16, "%s0"),
        ("s16", 16, "%s0"),
        ("u16", 16, "%r0"),
        ("s16", 16, "%r0"),
        ("s16", 16, "%d0"),
        ("u32", 32, "%r0"),
        ("s32", 32, "%r0"),
        ("f32", 32, "%r0"),
        ("b32", 32, "%r0"),
        ("u32", 32, "%d0"),
        ("s32", 32, "%d0"),
        ("u64", 64, "%d0"),
        ("s64", 64, "%d0"),
        ("f64", 64, "%d0"),
        ("b64", 64, "%d0"),
    ] {
        let width = match &register[1..2] {
            "s" => 16,
            "r" => 32,
            _ => 64,
        };
        let low = PATTERN & (u64::MAX >> (64 - bits));
        let is_negative = ty.starts_with('s') && low >> (bits - 1) != 0;
        let extended = if is_negative { low | u64::MAX.checked_shl(bits).unwrap_or(0) } else { low };
        let expected = extended & (u64::MAX >> (64 - width));
        let wide = match width {
            16 => "cvt.u64.u16 %d2, %s0;",
            32 => "cvt.u64.u32 %d2, %r0;",
            _ => "mov.u64 %d2, %d0;",
        };
        for (form, place) in [
            (format!("ld.global.{ty}"), "[%p1]"),
            (format!("ld.{ty}"), "[%p1]"),
            (format!("ld.global.nc.{ty}"), "[%p1]"),
            (format!("ld.global.L1::no_allocate.{ty}"), "[%p1]"),
            (format!("ld.volatile.global.{ty}"), "[%p1]"),
            (format!("ld.relaxed.gpu.global.{ty}"), "[%p1]"),
            (format!("ld.acquire.gpu.{ty}"), "[%p1]"),
            (format!("ld.weak.global.{ty}"), "[%p1+0]"),
            (format!("ld.shared.{ty}"), "[tile+8]"),
            (format!("ld.{ty}"), "[%d7]"),
            (format!("ld.local.{ty}"), "[own+8]"),
            (format!("ld.{ty}"), "[%d6]"),
            (format!("ld.param.{ty}"), "[p2]"),
        ] {
            let body = format!(
                ".shared .align 8 .b8 tile[16]; .local .align 8 .b8 own[16]; ld.global.u64 %d1, [%p1];
                 st.shared.u64 [tile+8], %d1; st.local.u64 [own+8], %d1;
                 mov.u64 %d7, tile; cvta.shared.u64 %d7, %d7; add.s64 %d7, %d7, 8;
                 mov.u64 %d6, own; cvta.local.u64 %d6, %d6; add.s64 %d6, %d6, 8;
                 {form} {register}, {place}; {wide} st.global.u64 [%p0], %d2;"
            );
            let (out, input) = (Array::zeros(1), Array::new(vec![PATTERN]));
            let params = [out.address(), input.address(), PATTERN];
            launch(&kernel(3, "", &body), 1, 1, &params).unwrap_or_else(|error| panic!("{form}: {error}"));
            assert_eq!(out.words(), [expected], "{form} {register}");
        }
    }
}

#[test]
fn stores_write_their_bytes_only() {
    for (ty, bits, register) in [
        ("u8", 8, "%s0"),
        ("u16", 16, "%s0"),
        ("u32", 32, "%r0"),
        ("b32", 32, "%r0"),
        ("f32", 32, "%r0"),
        ("u64", 64, "%d0"),
    ] {
        let load = match register {
            "%s0" => "cvt.u16.u64 %s0, %d0;",
            "%r0" => "cvt.u32.u64 %r0, %d0;",
            _ => "",
        };
        let mask = u64::MAX >> (64 - bits);
        for (space, to, back) in [
            ("global", "[%p0]", ""),
            ("relaxed.gpu.global", "[%p0]", ""),
            ("release.gpu.global", "[%p0]", ""),
            ("volatile.global", "[%p0]", ""),
            ("shared", "[tile]", "ld.shared.u64 %d1, [tile]; st.global.u64 [%p0], %d1;"),
            ("volatile.shared", "[tile]", "ld.shared.u64 %d1, [tile]; st.global.u64 [%p0], %d1;"),
            ("local", "[own]", "ld.local.u64 %d1, [own]; st.global.u64 [%p0], %d1;"),
        ] {
            let body = format!(
                ".shared .align 8 .b8 tile[8]; .local .align 8 .b8 own[8]; mov.u64 %d2, -1;
                 st.shared.u64 [tile], %d2; st.local.u64 [own], %d2;
                 ld.global.u64 %d0, [%p1]; {load} st.{space}.{ty} {to}, {register}; {back}"
            );
            let (out, input) = (Array::new(vec![u64::MAX]), Array::new(vec![PATTERN]));
            let text = kernel(2, "", &body);
            launch(&text, 1, 1, &[out.address(), input.address()])
                .unwrap_or_else(|error| panic!("{ty}: {error}"));
            assert_eq!(out.words(), [PATTERN & mask | !mask], "st.{space}.{ty}");
        }
    }
}

#[test]
fn vectors_are_elements_in_order() {
    for (form, registers) in [
        ("v2.u8", "{%s0, %s1}"),
        ("v4.u8", "{%s0, %s1, %s2, %s3}"),
        ("v2.u16", "{%s0, %s1}"),
        ("v4.u16", "{%s0, %s1, %s2, %s3}"),
        ("v2.u32", "{%r0, %r1}"),
        ("v4.u32", "{%r0, %r1, %r2, %r3}"),
        ("v4.f32", "{%r0, %r1, %r2, %r3}"),
        ("v2.u64", "{%d0, %d1}"),
        ("v2.f64", "{%d0, %d1}"),
    ] {
        for (load, store) in [("ld.global", "st.global"), ("ld.relaxed.gpu", "st.relaxed.gpu")] {
            let body = format!("{load}.{form} {registers}, [%p1]; {store}.{form} [%p0], {registers};");
            let bits = form[4..].parse::<u32>().unwrap() * form[1..2].parse::<u32>().unwrap();
            let input = Array::new(vec![PATTERN, !PATTERN]);
            let out = Array::zeros(2);
            launch(&kernel(2, "", &body), 1, 1, &[out.address(), input.address()]).unwrap();
            let all = u128::from(PATTERN) | u128::from(!PATTERN) << 64;
            let kept = all & (u128::MAX >> (128 - bits));
            assert_eq!(out.words(), [kept as u64, (kept >> 64) as u64], "{form}");
        }
    }
    // In shared and local memory.
    let body = ".shared .align 16 .b8 tile[16]; .local .align 16 .b8 own[16];
        ld.global.v2.u64 {%d0, %d1}, [%p1]; st.shared.v2.u64 [tile], {%d0, %d1};
        ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [tile]; st.local.v4.u32 [own], {%r0, %r1, %r2, %r3};
        ld.local.v2.u64 {%d2, %d3}, [own]; st.global.v2.u64 [%p0], {%d3, %d2};";
    let (out, input) = (Array::zeros(2), Array::new(vec![1, 2]));
    launch(&kernel(2, "", body), 1, 1, &[out.address(), input.address()]).unwrap();
    assert_eq!(out.words(), [2, 1]);
}

#[test]
fn packing_is_by_low_parts_first() {
    let body = "ld.global.u64 %d0, [%p1]; mov.b64 {%r0, %r1}, %d0; mov.b64 %d1, {%r1, %r0};
        mov.b64 {%s0, %s1, %s2, %s3}, %d0; mov.b64 %d2, {%s3, %s2, %s1, %s0}; mov.b32 %r2, {%s0, %s3};
        mov.b32 {%s4, %s5}, %r0; mov.b32 %r3, {%s5, -1}; mov.b64 %d3, {%r2, %r3};
        st.global.u64 [%p0], %d1; st.global.u64 [%p0+8], %d2; st.global.u64 [%p0+16], %d3;";
    let (out, input) = (Array::zeros(3), Array::new(vec![0x4444_3333_2222_1111]));
    launch(&kernel(2, "", body), 1, 1, &[out.address(), input.address()]).unwrap();
    assert_eq!(out.words(), [0x2222_1111_4444_3333, 0x1111_2222_3333_4444, 0xffff_2222_4444_1111]);
}

#[test]
fn atomics_change_memory_and_return_the_old_value() {
    // (operation and type, value in memory, operands, new value)
    let (minus_two, half) = (2u64.wrapping_neg(), u64::from(0.5f32.to_bits()));
    for (form, old, operands, new) in [
        ("add.u32", 5, vec![7], 12),
        ("add.u32", 0xffff_ffff, vec![2], 1),
        ("add.s32", 5, vec![0xffff_ffff], 4),
        ("add.u64", 5, vec![minus_two], 3),
        ("add.f32", half, vec![half], u64::from(1f32.to_bits())),
        ("add.f64", 0.5f64.to_bits(), vec![0.25f64.to_bits()], 0.75f64.to_bits()),
        ("min.u32", 5, vec![0xffff_fffe], 5),
        ("min.s32", 5, vec![0xffff_fffe], 0xffff_fffe),
        ("min.u64", 5, vec![3], 3),
        ("min.s64", 5, vec![minus_two], minus_two),
        ("max.u32", 5, vec![0xffff_fffe], 0xffff_fffe),
        ("max.s32", 5, vec![0xffff_fffe], 5),
        ("max.u64", 5, vec![minus_two], minus_two),
        ("max.s64", minus_two, vec![5], 5),
        ("and.b32", 0b1100, vec![0b1010], 0b1000),
        ("and.b64", PATTERN, vec![0xff], PATTERN & 0xff),
        ("or.b32", 0b1100, vec![0b1010], 0b1110),
        ("or.b64", 1, vec![1 << 63], 1 << 63 | 1),
        ("xor.b32", 0b1100, vec![0b1010], 0b0110),
        ("exch.b32", 5, vec![9], 9),
        ("exch.b64", 5, vec![PATTERN], PATTERN),
        ("cas.b32", 5, vec![5, 9], 9),
        ("cas.b32", 5, vec![4, 9], 5),
        ("cas.b64", PATTERN, vec![PATTERN, 9], 9),
        ("cas.b64", PATTERN, vec![PATTERN ^ 1, 9], PATTERN),
        ("cas.b16", 5, vec![5, 9], 9),
    ] {
        let (register, size) = match &form[form.len() - 2..] {
            "64" => ("%d", 64),
            "32" => ("%r", 32),
            _ => ("%s", 16),
        };
        let loads: String = (0..operands.len())
            .map(|k| format!("ld.global.b{size} {register}{}, [%p2+{}];", k + 1, k * 8))
            .collect();
        let list =
            if operands.len() == 2 { format!("{register}1, {register}2") } else { format!("{register}1") };
        for (space, place, back) in [
            ("global", "[%p1]", ""),
            ("acq_rel.gpu.global", "[%p1]", ""),
            ("relaxed.gpu", "[%p1]", ""),
            ("shared", "[tile]", "ld.shared.u64 %d7, [tile]; st.global.u64 [%p1], %d7;"),
        ] {
            let body = format!(
                ".shared .align 8 .b8 tile[8]; ld.global.u64 %d6, [%p1]; st.shared.u64 [tile], %d6; {loads}
                 atom.{space}.{form} {register}0, {place}, {list}; {back} st.global.b{size} [%p0], {register}0;"
            );
            let (out, cell, input) = (Array::zeros(1), Array::new(vec![old]), Array::new(operands.clone()));
            let params = [out.address(), cell.address(), input.address()];
            launch(&kernel(3, "", &body), 1, 1, &params).unwrap_or_else(|error| panic!("{form}: {error}"));
            assert_eq!((out.words()[0], cell.words()[0]), (old, new), "atom.{space}.{form}");
        }
        if !form.starts_with("cas") && !form.starts_with("exch") {
            let body = format!("{loads} red.global.{form} [%p1], {list};");
            let (cell, input) = (Array::new(vec![old]), Array::new(operands.clone()));
            launch(&kernel(3, "", &body), 1, 1, &[0, cell.address(), input.address()]).unwrap();
            assert_eq!(cell.words()[0], new, "red.global.{form}");
        }
    }
}

#[test]
fn atomics_of_a_warp_all_count() {
    let body = "atom.global.add.u32 %r0, [%p0], 1; cvt.u64.u32 %d0, %r0; add.s64 %d1, %p1, %o;
        st.global.u64 [%d1], %d0;";
    let (cell, out) = (Array::zeros(1), Array::zeros(96));
    let counts = launch(&kernel(2, "", body), 3, 32, &[cell.address(), out.address()]).unwrap();
    assert_eq!(cell.words(), [96]);
    let mut seen = out.words();
    seen.sort_unstable();
    assert_eq!(seen, (0..96).collect::<Vec<_>>());
    assert_eq!((counts.atomics.requests, counts.atomic_lanes, counts.most_on_one_address), (3, 96, 96));
}

#[test]
fn variables_of_the_module_have_their_first_values() {
    let declarations = ".global .align 4 .u32 table[3] = {7, 8};\n.global .align 1 .b8 text[4] = {1, 2, 3, 255};\n\
                        .const .align 8 .u64 one = 5;";
    let body =
        "mov.u64 %d0, table; ld.global.u32 %r0, [%d0+4]; ld.global.u32 %r1, [table+8]; add.s32 %r0, %r0, %r1;
        ld.global.u8 %r1, [text+3]; add.s32 %r0, %r0, %r1; ld.const.u64 %d1, [one]; cvt.u64.u32 %d2, %r0;
        add.s64 %d2, %d2, %d1; st.global.u64 [%p0], %d2;";
    let out = Array::zeros(1);
    launch(&kernel(1, declarations, body), 1, 1, &[out.address()]).unwrap();
    assert_eq!(out.words(), [8 + 255 + 5]);
}

/// A loop that is unrolled counts down from below the array, with offsets that bring it back.
#[test]
fn shared_addresses_of_32_bits_wrap() {
    let body =
        ".shared .align 8 .b8 tile[16]; st.shared.u32 [tile+8], 7; mov.u32 %r0, tile; sub.s32 %r0, %r0, 40;
        ld.shared.u32 %r1, [%r0+48]; st.global.u32 [%p0], %r1;";
    let out = Array::zeros(1);
    launch(&kernel(1, "", body), 1, 1, &[out.address()]).unwrap();
    assert_eq!(out.words(), [7]);
    let below = ".shared .align 8 .b8 tile[16]; mov.u32 %r0, tile; ld.shared.u32 %r1, [%r0+-8];";
    let error = launch(&kernel(1, "", below), 1, 1, &[out.address()]).unwrap_err();
    assert!(error.contains("Shared memory"), "{error}");
}

/// Each lane's generic address says which memory is meant: lanes of one request may be in several.
#[test]
fn lanes_of_one_request_may_be_in_several_spaces() {
    // %i and %o are the lane and its offset. Every third lane reads and writes shared memory.
    let body = ".shared .align 8 .b8 tile[256]; mov.u64 %d0, tile; add.s64 %d0, %d0, %o; cvt.u64.u32 %d1, %i;
        add.s64 %d2, %d1, 100; st.shared.u64 [%d0], %d2; cvta.shared.u64 %d0, %d0;
        rem.u32 %r0, %i, 3; setp.eq.s32 %q0, %r0, 0;
        add.s64 %d3, %p1, %o; selp.b64 %d3, %d0, %d3, %q0; ld.u64 %d4, [%d3];
        add.s64 %d5, %p0, %o; st.global.u64 [%d5], %d4;
        add.s64 %d6, %p2, %o; selp.b64 %d6, %d0, %d6, %q0; add.s64 %d4, %d4, 1; st.u64 [%d6], %d4;
        ld.u64 %d7, [%d0]; add.s64 %d6, %p3, %o; st.global.u64 [%d6], %d7;";
    let read = Array::new((1000..1032).collect());
    let (loaded, stored, kept) = (Array::zeros(32), Array::zeros(32), Array::zeros(32));
    let addresses = [loaded.address(), read.address(), stored.address(), kept.address()];
    launch(&kernel(4, "", body), 1, 32, &addresses).unwrap();
    let of = |shared: &dyn Fn(u64) -> u64, other: &dyn Fn(u64) -> u64| -> Vec<u64> {
        (0..32).map(|lane| if lane % 3 == 0 { shared(lane) } else { other(lane) }).collect()
    };
    assert_eq!(loaded.words(), of(&|lane| lane + 100, &|lane| lane + 1000));
    assert_eq!(stored.words(), of(&|_| 0, &|lane| lane + 1001));
    assert_eq!(kept.words(), of(&|lane| lane + 101, &|lane| lane + 100));
}

#[test]
fn dynamic_shared_memory_lies_behind_the_static() {
    let declarations = ".extern .shared .align 16 .b8 more[];\n.shared .align 4 .b8 own[20];";
    let body = "st.shared.u32 [own+16], 3; mov.u64 %d0, more; st.shared.u32 [%d0+252], 4; ld.shared.u32 %r0, [own+16];
        ld.shared.u32 %r1, [more+252]; add.s32 %r0, %r0, %r1; st.global.u32 [%p0], %r0;";
    let out = Array::zeros(1);
    launch(&kernel(1, declarations, body), 1, 1, &[out.address()]).unwrap();
    assert_eq!(out.words(), [7]);
    let over = "mov.u64 %d0, more; st.shared.u32 [%d0+256], 4;";
    assert!(launch(&kernel(1, declarations, over), 1, 1, &[0]).unwrap_err().contains("Shared memory"));
}

#[test]
fn accesses_outside_memory_are_faults_that_name_their_line() {
    let out = Array::zeros(4);
    for (body, what) in [
        (
            "st.global.u32 [%p0+32], %r0;",
            "outside every allocation (byte 32 of or behind an allocation of 32)",
        ),
        ("st.global.u64 [%p0+28], %d0;", "misaligned"),
        ("ld.global.u8 %s0, [%p0+-1];", "outside every allocation"),
        ("ld.global.v2.u64 {%d0, %d1}, [%p0+24];", "misaligned"),
        ("atom.global.add.u32 %r0, [%p0+32], 1;", "outside every allocation"),
        (".shared .align 4 .b8 tile[8]; ld.shared.u32 %r0, [tile+280];", "Shared memory"),
        (".local .align 4 .b8 own[16]; st.local.u32 [own+16], %r0;", "Local memory"),
        ("mov.u64 %d0, 200; ld.param.u64 %d1, [%d0];", "Param memory"),
        ("mov.u64 %d0, 0; ld.u32 %r0, [%d0];", "outside every allocation"),
        (
            ".shared .align 4 .b8 tile[8]; mov.u64 %d0, tile; cvta.shared.u64 %d0, %d0; st.u32 [%d0+272], %r0;",
            "Shared memory",
        ),
    ] {
        let report = launch(&kernel(1, "", body), 1, 1, &[out.address()]).unwrap_err();
        assert!(report.contains(what) && report.contains("PTX line"), "{body}: {report}");
    }
    drop(out);
}

#[test]
fn freed_memory_is_outside() {
    let out = Array::zeros(4);
    let address = out.address();
    let text = kernel(1, "", "st.global.u32 [%p0], %r0;");
    launch(&text, 1, 1, &[address]).unwrap();
    crate::memory::freed(address);
    assert!(launch(&text, 1, 1, &[address]).unwrap_err().contains("outside every allocation"));
}

#[test]
fn requests_are_counted_by_kind() {
    let body = ".shared .align 8 .b8 tile[512]; .local .align 8 .b8 own[8];
        add.s64 %d0, %p0, %o; ld.global.u64 %d1, [%d0]; st.global.u64 [%d0], %d1;
        mul.wide.u32 %d2, %i, 128; add.s64 %d2, %p1, %d2; ld.global.u32 %r0, [%d2];
        mul.wide.u32 %d3, %t2, 8; mov.u64 %d4, tile; add.s64 %d4, %d4, %d3; st.shared.u32 [%d4], %r0;
        st.local.u64 [own], %d1; atom.shared.add.u32 %r1, [tile], 1; bar.sync 0;";
    let (dense, sparse) = (Array::zeros(64), Array::zeros(64 * 16));
    let counts = launch(&kernel(2, "", body), 1, 64, &[dense.address(), sparse.address()]).unwrap();
    // 32 lanes of 8 bytes: 8 sectors or, on 16 bytes, 9.
    let straddles = u64::from(dense.address() % 32 != 0);
    assert_eq!((counts.launches, counts.threads), (1, 64));
    assert_eq!((counts.loads.requests, counts.loads.bytes), (4, 2 * (32 * 8 + 32 * 4)));
    assert_eq!(counts.loads.sectors, 2 * (8 + straddles + 32));
    assert_eq!((counts.stores.requests, counts.stores.sectors), (2, 2 * (8 + straddles)));
    assert_eq!((counts.shared.requests, counts.shared.passes, counts.shared.least_passes), (2, 4, 2));
    assert_eq!((counts.shared_atomics.requests, counts.local_requests, counts.barriers), (2, 2, 2));
    assert_eq!(counts.lanes, counts.instructions * 32);
}
