use super::{INVALID_FUNCTION, INVALID_PTX, Pending, Registry};
use crate::machine::Launch;

const TEXT: &str = ".version 9.0\n.global .align 4 .u32 value = 5;\n\
                    .visible .entry k(.param .u64 p0, .param .u8 p1) { .reg .b32 %r<2>; ld.global.u32 %r0, [value]; ret; }";

#[test]
fn registered_kernels_are_found_by_their_host_address() {
    let mut registry = Registry::default();
    let object = registry.register_object(Ok(TEXT.to_owned()));
    registry.register_function(object, 0x77, "k".to_owned());
    registry.register_function(object, 0x78, "other".to_owned());
    let kernel = registry.kernel(0x77).unwrap_or_else(|failure| panic!("{failure:?}"));
    let params: Vec<_> = kernel.function().params.iter().map(|param| (param.offset, param.size)).collect();
    assert_eq!(params, [(0, 8), (8, 1)]);
    for host in [0x78, 0x79] {
        assert_eq!(registry.kernel(host).err().map(|failure| failure.0), Some(INVALID_FUNCTION));
    }
    let pending = Pending { kernel, params: vec![0] };
    let launch = Launch {
        grid: [1; 3],
        block: [32, 1, 1],
        dynamic_shared: 0,
        is_cooperative: false,
        params: &[0; 16],
    };
    assert_eq!(pending.run(launch), Ok(()));
}

#[test]
fn object_that_does_not_parse_is_an_error_with_its_line() {
    let mut registry = Registry::default();
    let object = registry.register_object(Ok(".version 9.0\n.entry k() {\nfrob.u32 x; }".to_owned()));
    registry.register_function(object, 0x77, "k".to_owned());
    let (code, text) = registry.kernel(0x77).err().unwrap_or_default();
    assert_eq!((code, text.as_str()), (INVALID_PTX, "PTX line 3: unknown form frob.u32"));
}
