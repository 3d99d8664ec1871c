"""As previsões da aula 08 e dos notebooks alem/08-*. Cada resposta errada prevista recebe uma frase que explica."""

from gabarito.base import previsao

previsao(
    "aula-08/depois-do-q",
    certo="q",
    errados={
        "u": "Isso é o que ele vai aprender, e em menos de 60 passos. No passo 0 ele ainda não leu nada.",
        "e": "O e é a letra mais comum do inglês. Para saber disso, é preciso ter lido alguma coisa.",
    },
    tipo="texto",
)

previsao(
    "aula-08/degrau-da-tabela",
    certo="bigrama",
    errados={
        "unigrama": "O unigrama dá sempre as mesmas chances. A tabela tem uma linha para cada letra que se vê.",
        "trigrama": "O trigrama vê duas letras. De quantas letras depende a linha da tabela?",
    },
    tipo="texto",
)

previsao(
    "aula-08/passar-do-bigrama",
    certo="antes do passo 100",
    errados={
        "entre 100 e 400": "Nesse trecho ele passa do trigrama. O bigrama fica para trás antes disso.",
        "depois do 400": "É mais rápido do que parece. Com 64 trechos de 16, em cem passos ele já leu 100 mil letras.",
    },
    tipo="texto",
    tambem={
        "antes": "antes do passo 100",
        "antes do 100": "antes do passo 100",
        "entre": "entre 100 e 400",
        "depois": "depois do 400",
    },
)

previsao(
    "aula-08/treino-ou-validacao",
    certo="treino",
    errados={
        "validação": (
            "É o costume, porque o modelo nunca viu a validação. Mas o treino é medido com o dropout ligado, e a "
            "validação, com ele desligado."
        ),
    },
    tipo="texto",
)

previsao(
    "aula-08/temperatura-zero",
    certo="repetido",
    errados={
        "correto": "Cada letra é a melhor aposta, mas o texto inteiro não. Rode a próxima célula e leia a amostra.",
        "acaba": "Nada manda o modelo parar: ele escreve quantas letras a gente pedir.",
    },
    tipo="texto",
    tambem={"repete": "repetido"},
)

previsao(
    "aula-08/linha-errada",
    certo="d",
    errados={
        "a": "Os começos vão de 0 a n − bloco − 1: em todos cabem o trecho e o alvo. Está certa.",
        "b": "Cada linha de x é um trecho seguido do texto. Está certa.",
        "c": "O `y` é o mesmo trecho um passo à frente. Está certa.",
    },
    tipo="texto",
    tambem={"(a)": "a", "(b)": "b", "(c)": "c", "(d)": "d"},
)

previsao(
    "aula-08/conserto",
    certo=1.0,
    errados={
        5.757: "Ainda é o número do colega. Mude a linha errada em `perda_do_colega` e rode a célula dela de novo."
    },
    tipo="float",
)

previsao(
    "aula-08/que-peca-paga",
    certo="Muon",
    errados={
        "RMSNorm": "Ela faz menos contas que a LayerNorm, e é por isso que se usa. A perda quase não muda.",
        "RoPE": "No lugar de P, ele até atrapalha aqui. Há uma troca que ajuda mais que todas, e ela não é no modelo.",
        "ReLU²": "Com outra ativação, a perda quase não muda. A troca que mais ajuda não é no modelo.",
    },
    tipo="texto",
)
