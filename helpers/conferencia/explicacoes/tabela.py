"""A tabela dos erros: o tipo, um trecho da mensagem em inglês e o que dizer. Vale a primeira linha que serve."""

import re
from collections.abc import Callable

from helpers.conferencia.explicacoes import chamadas, formas, tipos
from helpers.conferencia.flagrante import Flagrante

Dizer = str | Callable[[Flagrante, re.Match], str | None]


EXPLICACOES: list[tuple[str, str, Dizer]] = [
    # (tipo do erro, ou tipos, se o NumPy e o torch lançam um cada; trecho da mensagem em inglês; o que dizer)
    ("ModuleNotFoundError", r"", "Essa biblioteca não faz parte do curso."),
    # formas
    (
        "ValueError|RuntimeError",
        r"matmul: .*enough dimensions|matmul need to be at least 1D",
        formas.produto_sem_eixos,
    ),
    ("ValueError", r"matmul|not aligned", formas.produto),
    ("RuntimeError", r"mat1 and mat2 shapes|size mismatch|dimensions of batch2", formas.produto),
    (
        "ValueError",
        r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))",
        "O lugar tem forma {1}, e o que se põe nele tem {0}. Qual das duas não é a que você queria?",
    ),
    ("RuntimeError", r"expanded size of the tensor", "O que se põe ali não tem a forma do lugar que o recebe."),
    ("ValueError", r"broadcast", formas.combinar),
    ("RuntimeError", r"must match the size", formas.combinar),
    ("ValueError", r"inhomogeneous", formas.linhas_desiguais),
    ("ValueError", r"setting an array element", formas.casa),
    ("RuntimeError", r"expand\(.*number of sizes provided", formas.casa),
    ("AxisError", r"dimension (\d+)", formas.eixo_que_nao_ha),
    ("IndexError", r"Dimension out of range.*\[-(\d+)", formas.eixo_que_nao_ha),
    (
        "ValueError|RuntimeError",
        r"cannot reshape|is invalid for input of size",
        "A nova forma não tem a mesma quantidade de números.",
    ),
    ("RuntimeError", r"view size is not compatible", formas.view),
    (
        "ValueError",
        r"axes don't match|repeated axis",
        "transpose precisa de todos os eixos; para trocar dois, use np.swapaxes.",
    ),
    (
        "RuntimeError",
        r"permute.*number of dimensions",
        "permute precisa de todos os eixos; para trocar dois, use transpose.",
    ),
    (
        "RuntimeError",
        r"equal size, but got (\[.*?\]) .*and (\[.*?\])",
        "Os pedaços têm tamanhos diferentes, {0} e {1}. Algum foi cortado no fim, ou começa tarde demais?",
    ),
    (
        "RuntimeError",
        r"Sizes of tensors must match",
        "Fora do eixo em que se juntam, as partes precisam ter o mesmo tamanho.",
    ),
    ("ValueError|RuntimeError", r"same number of dimensions", formas.numeros_de_eixos),
    ("ValueError", r"must have the same shape|must match exactly", formas.linhas_desiguais),
    ("ValueError", r"to unpack \(expected (\d+)", formas.desempacotar),
    (
        "ValueError|RuntimeError",
        r"Expected input batch_size|Expected target size",
        "A cross_entropy quer logits (N, V) e alvos (N,): junte o lote e o tempo em um eixo só, nos dois.",
    ),
    (
        "RuntimeError",
        r"normalized_shape=\[(\d+)\]",
        "Essa LayerNorm normaliza vetores de {0} componentes, e os que chegaram têm outro tamanho.",
    ),
    # um array onde cabe outra coisa, e o contrário
    ("ValueError", r"truth value of an array", tipos.verdadeiro),
    ("RuntimeError", r"Boolean value of Tensor", tipos.verdadeiro),
    (
        "TypeError",
        r"'(\w+)' is an invalid keyword argument for (\w+)\(\)",
        chamadas.E_DO_PYTHON,
    ),
    ("TypeError", r"only integer scalar arrays", tipos.em_lista),
    ("TypeError", r"multiple values for argument 'axis'", tipos.em_lista),
    ("TypeError", r"must be tuple of Tensors", tipos.em_lista),
    ("TypeError", r"only (0-dimensional|size-1|length-1)|only integer tensors of a single", formas.um_numero_so),
    ("ValueError", r"only one element tensors|array of size 1 to a Python scalar", formas.um_numero_so),
    ("RuntimeError", r"elements cannot be converted to Scalar", formas.um_numero_so),
    ("TypeError", r"'float' object cannot be interpreted|slice indices must|but got float", tipos.inteiro),
    ("TypeError", r"(int|slices), not float$|or a single integer", tipos.inteiro),
    ("IndexError", r"only integers", tipos.inteiro),
    ("IndexError", r"used as indices must be", "Para indexar, os números precisam ser inteiros; converta antes."),
    (
        "RuntimeError",
        r"scalar types: Long",
        "Um Embedding quer índices inteiros, e veio um tensor de floats. Use .long().",
    ),
    ("RuntimeError", r"target dtype to be Long", "Os alvos da cross_entropy são inteiros, os ids. Use .long()."),
    ("TypeError", r"Cannot interpret '.*' as a data type", formas.forma_solta),
    (
        "TypeError",
        r"found element of type Tensor",
        "Aqui vão tamanhos, que são inteiros, e veio um tensor. Com pesos que você já tem, a conta é x @ W + b.",
    ),
    (
        "TypeError",
        r"must be tuple of ints",
        "A forma vai em uma tupla: `(n,)` para um vetor, `(n, m)` para uma matriz.",
    ),
    ("TypeError", r"(?:(\w+)\(\): argument .* )?must be Tensor, not ([\w.]+)", tipos.espera_tensor),
    ("TypeError", r"(must be|has to be) a tensor|expected np.ndarray|not implemented for NumPy arrays", tipos.MISTURA),
    ("TypeError", r"tuple indices must be", tipos.tupla),
    (
        "TypeError",
        r"list indices must be integers or slices, not tuple",
        "Em uma lista de listas, pegue um elemento com [i][j]; [i, j] só vale em um array.",
    ),
    ("TypeError", r"unsupported operand type\(s\) for (\S+?):? '([\w.]+)' and '([\w.]+)'", tipos.operandos),
    ("TypeError", r"ufunc 'bitwise_xor'", tipos.potencia),
    ("TypeError", r"can only concatenate list|can't multiply sequence", tipos.lista),
    (
        "TypeError",
        r"can only concatenate str",
        "Um texto só se soma com outro texto; em uma mensagem, use uma f-string.",
    ),
    ("TypeError", r"boolean (negative|subtract)", "Para negar uma máscara de booleanos, use `~`."),
    ("RuntimeError", r"with a bool tensor|on a bool tensor", "Para negar uma máscara de booleanos, use `~`."),
    ("TypeError", r"ufunc 'invert'|operator.invert", "`~` só nega booleanos, e aqui há números. Compare antes (== 0)."),
    (
        "RuntimeError",
        r"only supports boolean masks",
        "A máscara precisa ser de booleanos. Compare (== 0), ou use .bool().",
    ),
    ("TypeError", r"Cannot cast ufunc", "O array é de inteiros e não guarda frações. Crie-o com floats."),
    (
        "RuntimeError",
        r"can't be cast to the desired",
        "O tensor é de inteiros e não guarda frações. Converta com .float().",
    ),
    (
        "RuntimeError",
        r"dtype must be either a floating point",
        "A média é de floats, e o tensor é de inteiros. Converta com .float().",
    ),
    (
        "RuntimeError",
        r"same dtype|expected scalar type|dtypes match",
        "Há tensores de tipos diferentes (float32, float64, inteiros); converta um.",
    ),
    # torch: módulos, pesos e gradientes
    ("NotImplementedError", r"Module \[(\w+)\] is missing the required \"forward\"", chamadas.sem_forward),
    ("NotImplementedError", r"not implemented for", chamadas.sem_conta),
    ("RuntimeError", r"in loading state_dict", "Os nomes ou as formas dos pesos não são os do módulo."),
    ("RuntimeError", r"leaf Variable|in-place operation", "Copie os pesos dentro de torch.no_grad()."),
    (
        "TypeError",
        r"cannot assign",
        "Em um parâmetro do módulo não se põe um tensor. Copie os valores com .copy_(), dentro de torch.no_grad().",
    ),
    (
        "RuntimeError",
        r"requires grad\. Use",
        "O NumPy não lê um tensor que guarda gradiente. Faça a conta com o torch, ou use .detach().",
    ),
    (
        "RuntimeError",
        r"does not require grad",
        "Essa perda não está ligada aos parâmetros: veio de .item(), de .detach() ou de dentro de no_grad?",
    ),
    ("RuntimeError", r"only for scalar outputs", "O backward parte de um número só: a perda média."),
    (
        "RuntimeError",
        r"backward through the graph a second time",
        "Cada backward precisa de uma perda nova: calcule-a dentro do laço.",
    ),
    ("RuntimeError", r"probability tensor contains|sum of probabilities", chamadas.sorteio),
    ("RuntimeError", r"index k out of range", "O k do topk é maior que a quantidade de valores. Use min(k, …)."),
    ("AttributeError", r"before Module.__init__", "Falta super().__init__() no começo do __init__ da sua classe."),
    # índices, nomes e atributos
    (
        "IndexError",
        r"too many indices",
        "Há mais índices do que eixos: esse array tem menos dimensões do que você supôs.",
    ),
    (
        "IndexError",
        r"boolean index did not match|shape of the mask",
        "Indexar com uma máscara pede que ela tenha a forma do array; np.where a estende sozinho.",
    ),
    ("IndexError", r"index (-?\d+) is out of bounds for \w+ (\d+) with size (\d+)", chamadas.fora),
    ("IndexError", r"in self", "Um índice passou do tamanho da tabela do Embedding."),
    ("IndexError", r"Target (-?\d+)", "O alvo {0} não cabe nos seus logits: o último eixo deles tem de ter V colunas."),
    ("IndexError", r"tuple index", "Essa forma tem menos eixos do que você supôs."),
    ("IndexError", r"out of bounds|out of range", "Um índice passou do fim."),
    (
        "KeyError",
        r"^(\d+)$",
        "O {0} não é uma chave do dicionário. Falta essa chave, ou você usou a posição?",
    ),
    ("KeyError", r"", "Essa chave não está no dicionário."),
    # UnboundLocalError é um NameError: vem antes dele
    (
        "UnboundLocalError",
        r"variable '(\w+)'",
        "`{0}` foi usado antes de receber um valor. Falta começar com um, antes do laço ou do if?",
    ),
    ("NameError", r"name '(\w+)'", chamadas.nome_que_nao_ha),
    ("AttributeError", r"'([\w.]+)' object has no attribute '(\w+)'", chamadas.atributo),
    ("AttributeError", r"module '([\w.]+)' has no attribute '(\w+)'", chamadas.da_biblioteca),
    ("ValueError", r"cannot delete array", tipos.APAGAR),
    ("TypeError", r"not support deleting|doesn't support item deletion", tipos.APAGAR),
    (
        "TypeError",
        r"unhashable type",
        "Uma lista ou um array não serve de chave de dicionário. Use uma tupla: tuple(…); ou, se a chave é um item só, "
        "procure um de cada vez.",
    ),
    # chamadas
    ("TypeError", r"(\w+)\(\) got an unexpected keyword argument '(\w+)'", chamadas.argumento_estranho),
    ("TypeError", r"(\w+)\(\) missing \d+ required positional arguments?: (.*)", chamadas.faltam),
    ("TypeError", r"(\w+)\(\) received an invalid combination of arguments", chamadas.combinacao),
    ("TypeError", r"\S+ takes \d+ positional arguments? but", tipos.argumentos_a_mais),
    ("TypeError", r"keyword argument|positional argument", "A chamada não combina com os argumentos da função."),
    ("TypeError", r"cannot unpack non-iterable ([\w.]+)", formas.um_item_so),
    ("TypeError", r"'([\w.]+)' object is not iterable", chamadas.nao_se_percorre),
    ("TypeError", r"'([\w.]+)' object is not subscriptable", chamadas.nao_se_indexa),
    ("TypeError", r"'([\w.]+)' object is not callable", chamadas.nao_se_chama),
    ("TypeError", r"has no len", "Um número não tem len()."),
    ("TypeError", r"NoneType", tipos.none),
    (
        "TypeError",
        r"exceptions must derive",
        "Um erro se lança com a classe dele: `raise ValueError(…)`, com o texto dentro.",
    ),
    # contas
    ("ZeroDivisionError", r"", "Houve uma divisão por zero."),
    (
        "ValueError",
        r"math domain error|expected a (nonnegative|positive) input",
        "O log é de números positivos, e a raiz, de não negativos.",
    ),
    ("OverflowError", r"", "O número ficou grande demais. Há um exp de algo grande?"),
    ("MemoryError", r"", "O que você quis criar não cabe na memória; dá para não criar?"),
    ("RuntimeError", r"allocate memory|enough memory", "O que você quis criar não cabe na memória; dá para não criar?"),
    ("AssertionError", r"", "Um assert da sua função falhou."),
]
