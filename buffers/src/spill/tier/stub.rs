use crate::device::{CopyKind, copy};
use crate::sync::Arc;
use crate::{Device, Result, Stream, Tier, TierUsage};
use std::ops::Range;
use std::ptr::NonNull;
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TierOptions {}
pub(crate) struct Payload {
    bytes: Vec<u8>,
    tier: Tier,
}
impl Payload {
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }
    pub(crate) fn tier(&self) -> Tier {
        self.tier
    }
}
pub(crate) struct Tiers {
    device: Device,
}
pub(crate) struct PayloadBuilder {
    bytes: Vec<u8>,
    len: usize,
}
impl Tiers {
    pub(crate) fn new(device: Device, _o: TierOptions) -> Self {
        Self { device }
    }
    pub(crate) fn set_options(&self, _o: TierOptions) -> Result<()> {
        Ok(())
    }
    pub(crate) unsafe fn store(
        &self,
        tier: Tier,
        source: NonNull<u8>,
        len: usize,
        stream: &Stream,
    ) -> Result<Arc<Payload>> {
        let mut bytes = vec![0; len];
        unsafe {
            copy(
                self.device,
                bytes.as_mut_ptr(),
                source.as_ptr(),
                len,
                CopyKind::DeviceToHost,
                stream.as_raw(),
            )?
        };
        stream.synchronize()?;
        Ok(Arc::new(Payload { bytes, tier }))
    }
    pub(crate) unsafe fn load(
        &self,
        payload: &Payload,
        range: Range<usize>,
        target: NonNull<u8>,
        stream: &Stream,
    ) -> Result<()> {
        unsafe {
            copy(
                self.device,
                target.as_ptr(),
                payload.bytes[range.clone()].as_ptr(),
                range.len(),
                CopyKind::HostToDevice,
                stream.as_raw(),
            )?
        };
        stream.synchronize()
    }
    pub(crate) fn read(&self, payload: &Payload, offset: usize, target: &mut [u8]) -> Result<()> {
        target.copy_from_slice(&payload.bytes[offset..offset + target.len()]);
        Ok(())
    }
    pub(crate) fn demote(&self, payload: &Payload, tier: Tier) -> Result<Arc<Payload>> {
        Ok(Arc::new(Payload { bytes: payload.bytes.clone(), tier }))
    }
    pub(crate) fn builder(&self, len: usize) -> Result<PayloadBuilder> {
        Ok(PayloadBuilder { bytes: Vec::new(), len })
    }
    pub(crate) fn usage(&self, _t: Tier) -> TierUsage {
        TierUsage::default()
    }
    pub(crate) fn has_room(&self, _t: Tier, _b: usize) -> bool {
        true
    }
    pub(crate) fn has(&self, t: Tier) -> bool {
        self.device != Device::Host || t == Tier::Disk
    }
}
impl PayloadBuilder {
    pub(crate) fn append_payload(&mut self, p: &Payload, r: Range<usize>) -> Result<()> {
        self.bytes.extend(&p.bytes[r]);
        Ok(())
    }
    pub(crate) fn append_bytes(&mut self, b: &[u8]) -> Result<()> {
        self.bytes.extend(b);
        Ok(())
    }
    pub(crate) unsafe fn append_device(&mut self, p: NonNull<u8>, len: usize, stream: &Stream) -> Result<()> {
        let mut bytes = vec![0; len];
        unsafe {
            copy(
                stream.device(),
                bytes.as_mut_ptr(),
                p.as_ptr(),
                len,
                CopyKind::DeviceToHost,
                stream.as_raw(),
            )?
        };
        stream.synchronize()?;
        self.append_bytes(&bytes)
    }
    pub(crate) fn finish(self) -> Result<Arc<Payload>> {
        assert_eq!(self.bytes.len(), self.len);
        Ok(Arc::new(Payload { bytes: self.bytes, tier: Tier::Disk }))
    }
}
