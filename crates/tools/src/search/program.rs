//! Reads facts about the network from the trainer's program, apart from its `save_format`.
//!
//! ```text
//!   .dual_perspective()                                     two accumulators
//!   let l1 = builder.new_affine("l1", 1024, 16);            `l1` is the layer of the tensors l1w and l1b
//!   let hidden = l1.forward(inputs).select(bucket);         `hidden` comes from `l1`
//!   let next = hidden.screlu();                             `l1` is followed by `screlu`
//! ```

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};

use super::constants::Constants;
use super::inputs::{Inputs, material_count};
use super::tokens::{MAX_DEPTH, Tokens, is_name, is_punct, tokens};

const ACTIVATIONS: [&str; 8] = [
    "crelu",
    "screlu",
    "relu",
    "sqrrelu",
    "pairwise_mul",
    "sigmoid",
    "tanh",
    "swish",
];

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Program {
    /// accumulators that the next layer reads
    pub(super) perspectives: Option<u64>,
    /// what an output of 1.0 is worth, as a declaration writes it
    pub(super) scale: Option<String>,
    /// the inputs, if they are bullet's
    pub(super) inputs: Option<Inputs>,
    /// the name of inputs that are not bullet's
    pub(super) own_inputs: Option<String>,
    /// `MaterialCount` selects the output bucket
    pub(super) by_material: bool,
    pub(super) outputs: Option<u64>,
    /// the name of a rule for output buckets that is not bullet's
    pub(super) own_rule: Option<String>,
    /// activations after each layer, by its name
    activations: BTreeMap<String, Vec<String>>,
}

impl Program {
    pub(super) fn read(stream: TokenStream, constants: &Constants) -> Self {
        let mut reader = Reader {
            constants,
            program: Self::default(),
            variable: None,
            layers: BTreeMap::new(),
            values: BTreeMap::new(),
        };
        reader.block(stream, 0);
        reader.program
    }

    /// The activation after the layer of tensor `id`, as a declaration names it; `None` if unknown or
    /// unsupported.
    pub(super) fn activation(&self, id: &str) -> Option<&'static str> {
        match self.after(id).as_slice() {
            ["screlu"] => Some("screlu"),
            ["crelu"] => Some("crelu"),
            ["crelu", "pairwise_mul"] => Some("pairwise"),
            _ => None,
        }
    }

    /// The activations after the layer of tensor `id`, as the trainer names them.
    pub(super) fn after(&self, id: &str) -> Vec<&str> {
        self.activations.get(stem(id)).map_or(Vec::new(), |found| {
            found.iter().map(String::as_str).collect()
        })
    }
}

/// The layer of a tensor: `l1` for `l1w`, `l1.weight` and `l1_bias`.
pub(super) fn stem(id: &str) -> &str {
    let suffixes = ["weights", "weight", "biases", "bias", "w", "b"];
    let stem = suffixes
        .iter()
        .find_map(|suffix| id.strip_suffix(suffix))
        .unwrap_or(id);
    stem.trim_end_matches(['.', '/', '_', '-'])
}

struct Reader<'a> {
    constants: &'a Constants,
    program: Program,
    /// variable of the current `let`
    variable: Option<String>,
    /// layers by variable; each by the name in its tensors
    layers: BTreeMap<String, String>,
    /// the layer that produced each variable's value
    values: BTreeMap<String, String>,
}

impl Reader<'_> {
    /// Reads the tokens of a file or of a bracket.
    fn block(&mut self, stream: TokenStream, depth: usize) {
        let mut tokens = tokens(stream);
        let outer = self.variable.take();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ';' => self.variable = None,
                TokenTree::Ident(ident) if ident == "let" => {
                    self.variable = variable_of(&mut tokens)
                }
                TokenTree::Ident(ident) => self.word(&ident.to_string(), &mut tokens, depth),
                TokenTree::Group(group) if depth < MAX_DEPTH => {
                    self.block(group.stream(), depth + 1)
                }
                _ => {}
            }
        }
        self.variable = outer;
    }

    fn word(&mut self, word: &str, rest: &mut Tokens, depth: usize) {
        match word {
            "dual_perspective" => self.program.perspectives = Some(2),
            "single_perspective" => self.program.perspectives = Some(1),
            "eval_scale" if is_punct(rest.peek(), ':') => {
                rest.next();
                let is_field = |token: &TokenTree| !is_punct(Some(token), ',');
                let field = std::iter::from_fn(|| rest.next_if(is_field)).collect();
                let scale = self.constants.decimal(field);
                self.program.scale = scale.filter(|scale| scale.bytes().any(|c| c > b'0'));
            }
            "input" | "inputs" => {
                if let Some(TokenTree::Group(group)) = rest.peek() {
                    self.inputs(group.stream());
                }
            }
            "output_buckets" => {
                if let Some(TokenTree::Group(group)) = rest.peek() {
                    self.output_buckets(group.stream());
                }
            }
            "new_affine" | "new_affine_custom" => {
                if let (Some(variable), Some(TokenTree::Group(arguments))) =
                    (&self.variable, rest.peek())
                {
                    let id = arguments
                        .stream()
                        .into_iter()
                        .next()
                        .map(|id| id.to_string());
                    let id = id.unwrap_or_default().trim_matches('"').to_owned();
                    self.layers.insert(variable.clone(), id);
                }
            }
            _ => self.chain(word, rest, depth),
        }
    }

    fn inputs(&mut self, argument: TokenStream) {
        match Inputs::read(argument.clone(), self.constants) {
            Some(inputs) => self.program.inputs = Some(inputs),
            None => self.program.own_inputs = Some(path(argument)),
        }
    }

    fn output_buckets(&mut self, argument: TokenStream) {
        match material_count(argument.clone(), self.constants) {
            Some(count) => (self.program.by_material, self.program.outputs) = (true, count),
            None => self.program.own_rule = Some(path(argument)),
        }
    }

    /// Reads `l1.forward(..).select(..).screlu()` or `hidden.screlu()`.
    fn chain(&mut self, base: &str, rest: &mut Tokens, depth: usize) {
        let mut layer = self.values.get(base).cloned();
        while is_punct(rest.peek(), '.') {
            rest.next();
            let Some(TokenTree::Ident(method)) =
                rest.next_if(|token| matches!(token, TokenTree::Ident(_)))
            else {
                break;
            };
            let method = method.to_string();
            if matches!(
                method.as_str(),
                "new_affine"
                    | "dual_perspective"
                    | "single_perspective"
                    | "new_affine_custom"
                    | "input"
                    | "inputs"
                    | "output_buckets"
            ) {
                return self.word(&method, rest, depth);
            }
            if method == "forward" {
                layer = self.layers.get(base).cloned();
            }
            if let (Some(layer), true) = (&layer, ACTIVATIONS.contains(&method.as_str())) {
                self.follow(layer, method);
            }
            if let Some(TokenTree::Group(group)) =
                rest.next_if(|token| matches!(token, TokenTree::Group(_)))
                && depth < MAX_DEPTH
            {
                self.block(group.stream(), depth + 1);
            }
        }
        if let Some(layer) = layer
            && let Some(variable) = self.variable.take()
        {
            self.values.insert(variable, layer);
        }
    }

    /// Adds an activation after `layer`. The other perspective repeats the same ones.
    fn follow(&mut self, layer: &str, activation: String) {
        let found = self
            .program
            .activations
            .entry(layer.to_owned())
            .or_default();
        if !found.contains(&activation) {
            found.push(activation);
        }
    }
}

/// The names in front: `threats::Inputs` of `threats::Inputs { .. }`
fn path(argument: TokenStream) -> String {
    let is_path =
        |token: &TokenTree| matches!(token, TokenTree::Ident(_)) || is_punct(Some(token), ':');
    let names = argument.into_iter().take_while(is_path);
    names.map(|token| token.to_string()).collect()
}

fn variable_of(rest: &mut Tokens) -> Option<String> {
    rest.next_if(|token| is_name(Some(token), "mut"));
    match rest.next_if(|token| matches!(token, TokenTree::Ident(_))) {
        Some(TokenTree::Ident(name)) => Some(name.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Program {
        Program::read(text.parse().expect("tokens"), &Constants::default())
    }

    #[test]
    fn activations_follow_their_layers() {
        let program = read(
            r#"fn main() { let trainer = ValueTrainerBuilder::default().dual_perspective().build(|builder, stm, ntm, buckets| {
                let l0 = builder.new_affine("l0", 768, 1024);
                let l1 = builder.new_affine("l1", 1024, 8 * 16);
                let l2 = builder.new_affine("l2", 16, 8 * 32);
                let l3 = builder.new_affine("l3", 32, 8);
                let stm_hidden = l0.forward(stm).crelu().pairwise_mul();
                let ntm_hidden = l0.forward(ntm).crelu().pairwise_mul();
                let hl2 = l1.forward(stm_hidden.concat(ntm_hidden)).select(buckets);
                let hl2 = hl2.screlu();
                let hl3 = l2.forward(hl2).select(buckets).crelu();
                l3.forward(hl3).select(buckets)
            });
            let schedule = TrainingSchedule { eval_scale: 400.0, steps: 5 }; }"#,
        );
        assert_eq!(program.perspectives, Some(2));
        assert_eq!(program.scale.as_deref(), Some("400"));
        let found = ["l0w", "l1b", "l2w", "l3w"].map(|id| program.activation(id));
        assert_eq!(
            found,
            [Some("pairwise"), Some("screlu"), Some("crelu"), None]
        );
    }

    #[test]
    fn what_the_language_lacks_is_kept_as_it_is_written() {
        let program = read(
            r#"let l0 = b.new_affine("l0", 768, 64); l0.forward(stm).sqrrelu().concat(x); single_perspective()"#,
        );
        assert_eq!(
            (program.activation("l0w"), program.after("l0w")),
            (None, vec!["sqrrelu"])
        );
        assert_eq!((program.perspectives, program.scale), (Some(1), None));
        assert_eq!(read("SavedFormat::id(\"l0w\")"), Program::default());
    }

    #[test]
    fn the_scale_may_have_a_fraction() {
        let scale = |text: &str| {
            let stream: TokenStream = text.parse().expect("tokens");
            Program::read(stream.clone(), &Constants::read(stream)).scale
        };
        for (text, expected) in [
            ("S { eval_scale: 362.5, steps: 1 }", Some("362.5")),
            (
                "const SCALE: f32 = 1_362.5_f32; S { eval_scale: SCALE }",
                Some("1362.5"),
            ),
            ("S { eval_scale: 400.0 * 2.0 }", Some("800")),
            ("S { eval_scale: 0.0 }", None),
            ("S { eval_scale: 362.5 * other() }", None),
            ("S { eval_scale: 1e3 }", None),
        ] {
            assert_eq!(scale(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn tensors_name_their_layers() {
        let ids = ["l1w", "l1b", "l1.weight", "l1_bias", "ft/weights", "out"];
        assert_eq!(ids.map(stem), ["l1", "l1", "l1", "l1", "ft", "out"]);
    }
}
