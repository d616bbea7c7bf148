//! Populations with genes of their own: any number, and none that this program
//! has.

use super::*;
use crate::evolve::Stage;
use crate::genome::{BuiltIn, Gene};

/// A table of genes that no evaluation knows. Some have steps, some share a
/// scale.
fn table(genes: usize) -> GeneTable {
    let gene = |n: usize| Gene {
        name: format!("option {n}"),
        grid: if n.is_multiple_of(3) { 4 } else { 1 },
        step: if n.is_multiple_of(2) { 1 } else { 5 },
        default: 3,
        range: [-10, 10 + n as i32],
        shares_scale: !n.is_multiple_of(5),
        has_phases: false,
    };
    (0..genes).map(gene).collect::<Vec<_>>().into()
}

fn foreign(genes: usize) -> Begin {
    let genes = table(genes);
    Begin {
        params: String::from("[evolution]\nbudget = 240\npopulation = 8\n[run]\nwindow = 2\n"),
        seeds: vec![Genome::default_of(&genes)],
        genes,
    }
}

#[test]
fn any_number_of_genes_evolves_to_one_survivor_and_is_resumed() {
    for genes in [3, 200] {
        let dir = tempfile::tempdir().unwrap();
        let whole = dir.path().join("whole");
        let begin = foreign(genes);
        let mut population = Population::create(&whole, &begin).unwrap();
        while !population.state().pending().is_empty() {
            let entry = next_match(population.state());
            population.apply(entry).unwrap();
        }
        let wanted = told(&population);
        population.close().unwrap();

        let parts = dir.path().join("parts");
        Population::create(&parts, &begin).unwrap().close().unwrap();
        loop {
            let (mut population, notices) = Population::open(&parts).unwrap();
            assert!(notices.is_empty(), "{}", text(&notices));
            assert_eq!(population.plan().genome.table, begin.genes);
            if population.state().pending().is_empty() {
                break;
            }
            for _ in 0..31 {
                if population.state().pending().front().is_some() {
                    let entry = next_match(population.state());
                    population.apply(entry).unwrap();
                }
            }
            population.close().unwrap();
        }
        // The store alone tells the whole story, too.
        fs::remove_file(parts.join("journal")).unwrap();
        let (population, _) = Population::open(&parts).unwrap();
        assert_eq!(told(&population), wanted);
        let state = population.state();
        assert_eq!(state.stage(), Stage::Over);
        assert_eq!(state.individuals().len(), 1);
        let champion = state.champion().unwrap().weights;
        assert_eq!(champion.len(), genes);
        for (gene, value) in begin.genes.iter().zip(&champion.opening) {
            assert!((gene.range[0]..=gene.range[1]).contains(value), "{gene:?}");
        }
        population.close().unwrap();
        let scratch = dir.path().join("scratch");
        fs::create_dir(&scratch).unwrap();
        let found = audit(&parts, &scratch, &mut |_, _, _| Ok(())).unwrap();
        assert_eq!(found.difference_count, 0, "{:?}", found.differences);
    }
}

#[test]
fn values_of_the_first_genes_keep_their_bytes() {
    let begin = Begin {
        params: String::from("p"),
        genes: GeneTable::first(),
        seeds: vec![Genome::default()],
    };
    // Zigzag: a value of 60 is 120, with a second byte from 64 on.
    let genome = [120, 8, 20, 20, 40, 8, 10, 10, 8, 20, 0];
    let bytes: Vec<u8> = [1, 1, b'p', 1]
        .into_iter()
        .chain(genome)
        .chain(genome)
        .collect();
    assert_eq!(encode(&begin).unwrap(), bytes);
    assert_eq!(decode::<Begin>(&bytes).unwrap(), begin);
    let entry = Entry::Immigrant {
        name: String::from("a"),
        weights: Genome::default(),
    };
    let bytes: Vec<u8> = [1, 1, 1, b'a']
        .into_iter()
        .chain(genome)
        .chain(genome)
        .collect();
    assert_eq!(encode(&entry).unwrap(), bytes);
    assert_eq!(decode::<Entry>(&bytes).unwrap(), entry);
    // Any other genes are named, and genomes say how many values they have.
    let bytes = encode(&foreign(3)).unwrap();
    assert_eq!(bytes[0], SCHEMA);
    assert_eq!(decode::<Begin>(&bytes).unwrap(), foreign(3));
}

#[test]
fn a_population_of_other_genes_is_read_and_its_genes_are_named() {
    // As a later program would begin it: this program's genes and one more, with
    // a key in the parameters.
    let mut genes: Vec<Gene> = GeneTable::built_in().into();
    genes.push(table(1)[0].clone());
    genes.last_mut().unwrap().name = String::from("later");
    let genes = GeneTable::from(genes);
    let begin = Begin {
        params: String::from("[genome]\neuler = [0, 50]\nlater = [-0.5, 1.25]\n"),
        genes: genes.clone(),
        seeds: Vec::new(),
    };
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("later");
    let mut population = Population::create(&dir, &begin).unwrap();
    play(&mut population, 20);
    let genome = &population.plan().genome;
    assert_eq!(genome.bounds[0], [0, 50]);
    assert_eq!(genome.bounds.last(), Some(&[-2, 5]));
    let unknown = BuiltIn::new(&genome.table).unwrap_err().to_string();
    assert!(unknown.contains("does not have: later"), "{unknown}");
    let state = population.state().clone();
    population.close().unwrap();
    let (population, _) = Population::look(&dir).unwrap();
    assert_eq!(population.state(), &state);
}

#[test]
fn genes_and_genomes_that_cannot_be_are_refused() {
    let refused = |begin: &Begin| Fold::begin(begin).unwrap_err().to_string();
    let mut begin = foreign(3);
    begin.seeds[0].endgame.pop();
    assert!(refused(&begin).contains("3 and 2 values in a population of 3 genes"));
    let with = |change: &dyn Fn(&mut Vec<Gene>)| {
        let mut genes: Vec<Gene> = table(3).into();
        change(&mut genes);
        Begin {
            genes: genes.into(),
            seeds: Vec::new(),
            ..foreign(3)
        }
    };
    for (change, message) in [
        (
            &(|genes: &mut Vec<Gene>| genes.clear()) as &dyn Fn(&mut Vec<Gene>),
            "there is no gene",
        ),
        (&|genes| genes[1].name = genes[0].name.clone(), "two genes"),
        (&|genes| genes[1].name = String::new(), "the name \"\""),
        (&|genes| genes[0].grid = 0, "no steps"),
        (
            &|genes| genes[0].default = 99,
            "the default 24.75 between -2.5 and 2.5",
        ),
    ] {
        let text = refused(&with(change));
        assert!(text.contains(message), "{text}");
    }
    let (mut fold, _) = Fold::begin(&foreign(3)).unwrap();
    let entry = Entry::Immigrant {
        name: String::from("of another table"),
        weights: Genome::default(),
    };
    let text = fold.apply(&entry).unwrap_err().to_string();
    assert!(text.contains("11 and 11 values"), "{text}");
}
