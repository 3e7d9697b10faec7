import httpx
import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from schema.errors import Forbidden
from service.problems import EXCEPTION_HANDLERS

pytestmark = pytest.mark.anyio


async def answer(error: Exception) -> httpx.Response:
    async def fail(request: Request) -> Response:
        raise error

    app = Starlette(routes=[Route("/", fail)], exception_handlers=dict(EXCEPTION_HANDLERS))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://stele.test") as http:
        return await http.get("/")


@pytest.mark.parametrize(
    ("error", "status", "code", "detail"),
    [
        (Forbidden("not yours"), 403, "forbidden", "not yours"),
        (HTTPException(400, "the Mona Lisa"), 400, "malformed", "Bad Request"),
        (ValueError("the Mona Lisa"), 500, "internal", "the service failed; its log has the"),
    ],
)
async def test_every_route_of_the_application_answers_with_problems(
    error: Exception, status: int, code: str, detail: str
) -> None:
    response = await answer(error)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.json()["detail"].startswith(detail)
    assert "Mona Lisa" not in response.text
