//! Drawings as PNG, rasterised by `resvg`.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use nnue_tools::plot::Drawing;

use crate::error::Error;

/// Most pixels of an image, which take four bytes each in memory.
const MOST_PIXELS: f64 = 2e8;

/// Rasterises a drawing with `scale` pixels per unit. Text uses the fonts of the system: the second result is
/// false if there are none; then the image has no text.
///
/// # Errors
///
/// If the image has no pixels, or more than 200 million.
pub(super) fn png(drawing: &Drawing, scale: f32) -> Result<(Vec<u8>, bool), Error> {
    let paint =
        |reason: String| Error::Argument(format!("the drawing cannot be painted: {reason}"));
    let size = [drawing.width(), drawing.height()].map(|length| (length * f64::from(scale)).ceil());
    if !(size[0] >= 1.0 && size[1] >= 1.0 && size[0] * size[1] <= MOST_PIXELS) {
        return Err(paint(format!(
            "{} x {} pixels; write an SVG instead",
            size[0], size[1]
        )));
    }
    let mut fonts = fontdb::Database::new();
    fonts.load_system_fonts();
    let has_fonts = !fonts.is_empty();
    // Without the usual fonts, use any other.
    let any = fonts
        .faces()
        .find_map(|face| face.families.first())
        .map(|(family, _)| family.clone());
    if let Some(family) = any {
        fonts.set_sans_serif_family(family);
    }
    let options = Options {
        fontdb: Arc::new(fonts),
        ..Options::default()
    };
    let tree =
        Tree::from_str(&drawing.svg(), &options).map_err(|error| paint(error.to_string()))?;
    let mut pixels =
        Pixmap::new(size[0] as u32, size[1] as u32).ok_or_else(|| paint("too large".into()))?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    let file = pixels
        .encode_png()
        .map_err(|error| paint(error.to_string()))?;
    Ok((file, has_fonts))
}
