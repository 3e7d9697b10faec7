from service.webhooks.signing import Signer, headers

OLD, NEW = b"an old signing key of enough characters", b"a new signing key of enough characters"


def test_headers_follow_the_published_example() -> None:
    """Source: the example of the Standard Webhooks specification."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # published
    at = 1614265330_999
    assert headers("msg_p5jXN8AQM9LWM0D4loKWxJek", at, '{"test": 2432232314}', [secret]) == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_several_secrets_give_several_signatures() -> None:
    secrets = [
        Signer((key,)).secret(Signer((key,)).current, "m", "h", 0) or "" for key in (OLD, NEW)
    ]
    both = headers("msg_1", 0, "{}", secrets)["webhook-signature"].split(" ")
    assert both == [headers("msg_1", 0, "{}", [one])["webhook-signature"] for one in secrets]


def test_a_secret_stays_while_its_key_is_among_the_keys() -> None:
    before = Signer((OLD,))
    secret = before.secret(before.current, "m", "h", 0)
    after = Signer((NEW, OLD))
    assert after.current != before.current
    assert after.secret(before.current, "m", "h", 0) == secret
    assert Signer((NEW,)).secret(before.current, "m", "h", 0) is None


def test_secrets_are_long_and_differ_in_everything() -> None:
    one = Signer((NEW, OLD))
    old = Signer((OLD,)).current
    made = {
        one.secret(one.current, "m", "h", 0),
        one.secret(old, "m", "h", 0),
        one.secret(one.current, "n", "h", 0),
        one.secret(one.current, "m", "i", 0),
        one.secret(one.current, "m", "h", 1),
    }
    assert len(made) == 5
    assert all(secret and len(secret) == len("whsec_") + 44 for secret in made)
