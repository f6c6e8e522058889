//! Attributes of a node by name.

use super::proto;
use crate::op::Windows;

pub(super) struct Attributes<'a>(pub(super) &'a proto::Node);

impl<'a> Attributes<'a> {
    fn get(&self, name: &str) -> Option<&'a proto::Attribute> {
        self.0
            .attribute
            .iter()
            .find(|attribute| attribute.name == name)
    }

    pub(super) fn integer(&self, name: &str, default: i64) -> i64 {
        self.get(name).map_or(default, |attribute| attribute.i)
    }

    pub(super) fn float(&self, name: &str, default: f32) -> f32 {
        self.get(name).map_or(default, |attribute| attribute.f)
    }

    pub(super) fn optional_float(&self, name: &str) -> Option<f32> {
        self.get(name).map(|attribute| attribute.f)
    }

    pub(super) fn integers(&self, name: &str) -> Option<&'a [i64]> {
        self.get(name).map(|attribute| attribute.ints.as_slice())
    }

    pub(super) fn floats(&self, name: &str) -> Option<&'a [f32]> {
        self.get(name).map(|attribute| attribute.floats.as_slice())
    }

    pub(super) fn text(&self, name: &str) -> &'a str {
        self.get(name)
            .and_then(|attribute| std::str::from_utf8(&attribute.s).ok())
            .unwrap_or_default()
    }

    pub(super) fn tensor(&self, name: &str) -> Option<&'a proto::Tensor> {
        self.get(name).and_then(|attribute| attribute.t.as_ref())
    }

    /// The windows of a convolution or a pool, or what is unsupported about them.
    pub(super) fn windows(&self, kernel: Option<&[i64]>) -> Result<Windows, String> {
        let pair = |name: &str, default: usize| match self.integers(name) {
            None => Ok([default; 2]),
            Some(list) => both(list)
                .ok_or_else(|| format!("its {name} are {list:?}, and windows have two axes")),
        };
        let kernel = match (self.integers("kernel_shape"), kernel) {
            (Some(list), _) | (None, Some(list)) => both(list).ok_or("windows have two axes")?,
            (None, None) => return Err("its windows have no size".into()),
        };
        if pair("dilations", 1)? != [1, 1] {
            return Err("its windows are dilated, and those of the language are not".into());
        }
        let padding = match (self.integers("pads"), self.text("auto_pad")) {
            (Some(&[top, left, bottom, right]), "" | "NOTSET")
                if top == bottom && left == right =>
            {
                both(&[top, left])
            }
            (None, "" | "NOTSET" | "VALID") => Some([0, 0]),
            (None, "SAME_UPPER" | "SAME_LOWER")
                if kernel.iter().all(|size| size % 2 == 1) && pair("strides", 1)? == [1, 1] =>
            {
                Some(kernel.map(|size| size / 2))
            }
            _ => None,
        };
        let padding = padding
            .ok_or("its padding is not the same on opposite sides: pad alike on all sides")?;
        let stride = pair("strides", 1)?;
        Ok(Windows {
            kernel,
            stride,
            padding,
        })
    }
}

fn both(list: &[i64]) -> Option<[usize; 2]> {
    let &[rows, columns] = list else { return None };
    let small = |length: i64| {
        usize::try_from(length)
            .ok()
            .filter(|&length| length < 1 << 16)
    };
    Some([small(rows)?, small(columns)?])
}
