//! The same on a GPU: what a step takes when batches are at hand in the memory of the processor.

use std::error::Error;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use nnue_train::batch::Batch;
use nnue_train::cuda::{OnGpu, open};
use nnue_train::gradient::Gradient;
use nnue_train::network::Parameters;
use nnue_train::optimizer::Optimizer;

use super::{LEAST, Training, assert_near};

/// Compares a gradient with that of the CPU, and then takes steps.
pub(super) fn measure(
    training: &Training,
    mut parameters: Parameters<f32>,
) -> Result<(), Box<dyn Error>> {
    let mut device = open(&training.network, &training.factors, 0)?;
    let (mut adam, mut zeros) = (training.optimizer(), training.network.zeros());
    training.factors.extend(&mut zeros);
    let remembered = vec![&zeros; adam.remembered().numbers.len()];
    check(training, &mut device, &parameters, &training.batches[0])?;
    training.factors.extend(&mut parameters);
    device.upload(&parameters, &remembered)?;
    let (mut preparing, mut waiting, mut steps, begin) =
        (Duration::ZERO, Duration::ZERO, 0, Instant::now());
    for batch in training.batches.iter().cycle() {
        let start = Instant::now();
        device.prepare(batch, &training.objective)?;
        preparing += start.elapsed();
        let start = Instant::now();
        device.loss()?; // of the batch before
        waiting += start.elapsed();
        device.begin()?;
        device.step(&adam.updates(1e-4), remembered.len())?;
        device.hold(&training.limits)?;
        steps += 1;
        if begin.elapsed() > LEAST {
            break;
        }
    }
    device.download(&mut parameters, &mut [])?; // when all steps are done
    let time = begin.elapsed().as_secs_f64();
    let positions = steps * training.batches[0].len();
    println!(
        "{:.3} million positions/s on the GPU",
        positions as f64 / time / 1e6
    );
    let [step, preparing, waiting] = [time, preparing.as_secs_f64(), waiting.as_secs_f64()]
        .map(|time| time * 1e3 / steps as f64);
    println!(
        "a step {step:.3} ms, of which the processor makes a batch ready for {preparing:.3} ms and waits for {waiting:.3} ms"
    );
    Ok(())
}

fn check(
    training: &Training,
    device: &mut OnGpu,
    parameters: &Parameters<f32>,
    batch: &Batch,
) -> Result<(), Box<dyn Error>> {
    let mut extended = parameters.clone();
    training.factors.extend(&mut extended); // virtual weights of zero
    device.upload(&extended, &[])?;
    device.compute(batch, &training.objective)?;
    let mut found = extended;
    device.gradient(&mut found)?;
    let mut gradient = Gradient::new(&training.network, NonZeroUsize::MIN);
    gradient.compute(&training.network, parameters, batch, &training.objective);
    assert_near(&found, gradient.parameters());
    Ok(())
}
