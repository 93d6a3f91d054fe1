import Testing
import MoleculeModel
