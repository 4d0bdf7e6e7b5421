//! Threads that share, slice, write and drop buffers at random, checked against a model.

use std::sync::Mutex;

use super::{execs, pattern};
use crate::{Buffer, Exec};

const THREADS: u64 = 8;
const STEPS: usize = if cfg!(miri) { 30 } else { 3000 };

/// A buffer and its expected bytes.
type Modelled = (Buffer, Vec<u8>);

/// A small generator of its own, so that a failing run can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

fn step(held: &mut Vec<Modelled>, shared: &Mutex<Vec<Modelled>>, random: &mut Random, exec: &Exec) {
    let at = random.below(held.len());
    match random.below(6) {
        0 if held.len() < 8 => {
            let (buffer, model) = &held[at];
            let copy = (buffer.clone(), model.clone());
            held.push(copy);
        }
        1 => {
            let (buffer, model) = &mut held[at];
            let offset = random.below(model.len() + 1);
            let len = random.below(model.len() - offset + 1);
            *buffer = buffer.slice(offset, len);
            *model = model[offset..offset + len].to_vec();
        }
        2 | 3 => {
            let (buffer, model) = &mut held[at];
            let value = u8::try_from(random.below(256)).unwrap();
            model.fill(value);
            buffer.write(exec).unwrap().copy_from_slice(model).unwrap();
        }
        4 => {
            let mut shared = shared.lock().unwrap();
            let other = random.below(shared.len());
            std::mem::swap(&mut shared[other], &mut held[at]);
        }
        _ if held.len() > 1 => {
            held.swap_remove(at);
        }
        _ => held[at] = modelled(1 + random.below(300), exec),
    }
    for (buffer, model) in held.iter() {
        assert_eq!(buffer.to_vec::<u8>(exec).unwrap(), *model);
    }
}

fn modelled(len: usize, exec: &Exec) -> Modelled {
    let bytes = pattern(len);
    (Buffer::from_slice(&bytes, exec).unwrap(), bytes)
}

#[test]
fn concurrent_writes_match_model() {
    for exec in execs() {
        let steps = if exec.device() == crate::Device::Host { STEPS } else { STEPS / 10 };
        let first = modelled(500, &exec);
        let shared = Mutex::new(vec![first.clone(), first.clone(), first]);
        std::thread::scope(|scope| {
            for seed in 0..THREADS {
                let (shared, exec) = (&shared, exec.with_new_stream().unwrap());
                scope.spawn(move || {
                    let mut random = Random(seed);
                    let mut held = vec![shared.lock().unwrap()[0].clone()];
                    for _ in 0..steps {
                        step(&mut held, shared, &mut random, &exec);
                    }
                });
            }
        });
    }
}
