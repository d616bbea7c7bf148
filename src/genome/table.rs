//! The genes of a population: one row each.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::values::Genome;

/// One gene. Its values are whole numbers, so that no two platforms can differ:
/// a value `v` stands for the number `v · step / grid`. (The fields' order is
/// part of the stored format.)
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gene {
    /// The name in every file and output.
    pub name: String,
    /// How many parts a unit has: 1 for whole numbers, 4 for quarters.
    pub grid: i32,
    /// How many of those parts lie between two neighbouring values.
    pub step: i32,
    /// The value by default.
    pub default: i32,
    /// The least and the most that the player understands.
    pub range: [i32; 2],
    /// Whether it belongs to the genes whose common scale changes nothing: twice
    /// all of them choose the same moves.
    pub shares_scale: bool,
    /// Whether it may have a value of its own for the endgame.
    pub has_phases: bool,
}

impl Gene {
    /// A value as people write it: `3`, `1.25`.
    ///
    /// ```
    /// use loatune::genome::GeneTable;
    ///
    /// let table = GeneTable::built_in();
    /// let power = table.iter().find(|gene| gene.name == "spread_power");
    /// assert_eq!(power.map(|gene| gene.text(5)), Some(String::from("1.25")));
    /// ```
    pub fn text(&self, value: i32) -> String {
        let parts = i64::from(value) * i64::from(self.step);
        let grid = i64::from(self.grid.max(1));
        if grid == 1 {
            return parts.to_string();
        }
        let (whole, part) = (parts / grid, parts % grid);
        let hundredths = part.abs() * 100 / grid;
        let sign = if parts < 0 && whole == 0 { "-" } else { "" };
        if hundredths % 10 == 0 {
            format!("{sign}{whole}.{}", hundredths / 10)
        } else {
            format!("{sign}{whole}.{hundredths:02}")
        }
    }

    /// A value as a number.
    pub fn number(&self, value: f64) -> f64 {
        value * f64::from(self.step) / f64::from(self.grid.max(1))
    }

    /// The value that a number stands for; `None` if it is out of the range or
    /// between two values.
    pub fn value(&self, number: f64) -> Option<i32> {
        let value = number * f64::from(self.grid) / f64::from(self.step.max(1));
        let [least, most] = self.range.map(f64::from);
        ((least..=most).contains(&value) && value.fract() == 0.0).then_some(value as i32)
    }
}

/// All genes of a population, in the order of their values. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Gene>", into = "Vec<Gene>")]
pub struct GeneTable(Arc<[Gene]>);

impl GeneTable {
    /// Checks that the rows can be those of a population.
    ///
    /// # Errors
    /// What is wrong with the first row that cannot.
    pub fn validate(&self) -> Result<(), String> {
        if self.is_empty() {
            return Err(String::from("there is no gene"));
        }
        for (n, gene) in self.iter().enumerate() {
            let [least, most] = gene.range;
            let name = &gene.name;
            if name.trim().is_empty() || name.chars().any(char::is_control) {
                return Err(format!("gene {n} has the name {name:?}"));
            }
            if self.position(name) != Some(n) {
                return Err(format!("two genes have the name {name}"));
            }
            if gene.grid < 1 || gene.step < 1 {
                return Err(format!("gene {name} has no steps"));
            }
            if least > most || !(least..=most).contains(&gene.default) {
                return Err(format!(
                    "gene {name} has the default {} between {} and {}",
                    gene.text(gene.default),
                    gene.text(least),
                    gene.text(most)
                ));
            }
        }
        Ok(())
    }

    /// Checks that a genome has a value for every gene.
    ///
    /// # Errors
    /// How many values there are, and how many there should be.
    pub fn check_length(&self, genome: &Genome) -> Result<(), String> {
        let genes = self.len();
        match [&genome.opening, &genome.endgame].map(Vec::len) {
            [opening, endgame] if opening == genes && endgame == genes => Ok(()),
            [opening, endgame] => Err(format!(
                "a genome with {opening} and {endgame} values in a population of {genes} genes"
            )),
        }
    }

    /// The place of the gene with this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.iter().position(|gene| gene.name == name)
    }
}

impl Deref for GeneTable {
    type Target = [Gene];

    fn deref(&self) -> &[Gene] {
        &self.0
    }
}

impl From<Vec<Gene>> for GeneTable {
    fn from(genes: Vec<Gene>) -> GeneTable {
        GeneTable(genes.into())
    }
}

impl From<GeneTable> for Vec<Gene> {
    fn from(table: GeneTable) -> Vec<Gene> {
        table.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gene(grid: i32, step: i32) -> Gene {
        Gene {
            name: String::from("some"),
            grid,
            step,
            default: 0,
            range: [-8, 8],
            shares_scale: true,
            has_phases: false,
        }
    }

    #[test]
    fn values_and_numbers_go_there_and_back() {
        for (grid, step) in [(1, 1), (4, 1), (1, 25), (2, 3)] {
            let gene = gene(grid, step);
            for value in -8..=8 {
                assert_eq!(gene.value(gene.number(f64::from(value))), Some(value));
                assert_eq!(gene.text(value).parse(), Ok(gene.number(f64::from(value))));
            }
            assert_eq!(gene.value(gene.number(9.0)), None);
            assert_eq!(gene.value(gene.number(0.5)), None);
        }
        assert_eq!(gene(1, 25).text(-3), "-75");
        assert_eq!(gene(4, 1).text(-3), "-0.75");
    }
}
