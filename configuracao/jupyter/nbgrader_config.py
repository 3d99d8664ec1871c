"""O botão Validar, e `nbgrader validate`, em português."""

c = get_config()

c.Validator.type_changed_warning = (
    "O TIPO DE {num_changed} CÉLULA(S) MUDOU! Mesmo que os testes passem agora, eles podem não passar na correção.\n"
)
c.Validator.changed_warning = (
    "O CONTEÚDO DE {num_changed} CÉLULA(S) DE TESTE MUDOU! Mesmo que os testes passem agora, eles podem não passar "
    "na correção.\n"
)
c.Validator.failed_warning = (
    "{num_failed} CÉLULA(S) NÃO PASSARAM! Se você entregar a lista assim, não recebe todos os pontos.\n"
)
c.Validator.passed_warning = "{num_passed} CÉLULA(S) PASSARAM!\n"

# Uma conferência tem o seu próprio limite, de processador; este, de relógio, só pega um laço fora dela. É
# folgado porque em um computador ocupado o relógio anda muito mais.
c.Execute.timeout = 300
c.Execute.error_on_timeout = {
    "ename": "TempoEsgotado",
    "evalue": "a célula não terminou em 5 minutos",
    "traceback": ["A célula não terminou em 5 minutos; há um laço que não acaba?"],
}
