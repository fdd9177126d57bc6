// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import io.keyslot.client.register.AcceptorAnswer.Promised;
import io.keyslot.client.register.AcceptorAnswer.Silent;
import io.keyslot.client.register.AcceptorAnswer.Viewed;
import io.keyslot.client.register.AcceptorRequest.Accept;
import io.keyslot.client.register.AcceptorRequest.Copy;
import io.keyslot.client.register.AcceptorRequest.Prepare;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Signs the values that instances store with a key that the instances do not have; values without a valid signature are
 * rejected. The signature, an HMAC over the generation and the whole value, precedes the text of the value.
 * Thread-safe.
 */
final class Seal {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String NAME = "hmac ";
    private static final int DIGITS = 64;

    private final SecretKeySpec key;

    Seal(String key) {
        this.key = new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    Acceptor at(Acceptor instance) {
        return request -> ask(instance, request);
    }

    private CompletableFuture<AcceptorAnswer> ask(Acceptor instance, AcceptorRequest request) {
        return instance.ask(signed(request)).thenApply(answer -> {
            try {
                return read(request, answer);
            } catch (IllegalArgumentException e) {
                return new Silent(String.valueOf(e.getMessage()));
            }
        });
    }

    private AcceptorRequest signed(AcceptorRequest request) {
        if (request instanceof Accept accept) {
            return new Accept(
                    accept.generation(),
                    accept.ballot(),
                    signed(accept.generation(), accept.value()),
                    accept.voter(),
                    accept.previous());
        }
        return request instanceof Copy copy
                ? new Copy(new DecidedValue(
                        copy.decided().generation(),
                        signed(copy.decided().generation(), copy.decided().value())))
                : request;
    }

    private AcceptorAnswer read(AcceptorRequest request, AcceptorAnswer answer) {
        if (answer instanceof Promised promised && request instanceof Prepare prepare) {
            return new Promised(
                    promised.incarnation(), promised.ballot(), read(prepare.generation(), promised.value()));
        }
        if (answer instanceof Viewed view) {
            DecidedValue copy = view.copy();
            RegisterValue copied = copy == null ? null : read(copy.generation(), copy.value());
            return new Viewed(
                    view.generation(),
                    view.incarnation(),
                    view.isAlive(),
                    view.promise(),
                    view.ballot(),
                    read(view.generation(), view.value()),
                    copy == null || copied == null ? null : new DecidedValue(copy.generation(), copied));
        }
        return answer;
    }

    private RegisterValue signed(Generation generation, RegisterValue value) {
        return withText(value, NAME + signature(generation, value) + "\n" + value.text());
    }

    private @Nullable RegisterValue read(@Nullable Generation generation, @Nullable RegisterValue kept) {
        if (kept == null) {
            return null;
        }
        String text = kept.text();
        int end = NAME.length() + DIGITS;
        if (generation != null && text.startsWith(NAME) && text.length() > end) {
            RegisterValue value = withText(kept, text.substring(end + 1));
            byte[] found = text.substring(NAME.length(), end).getBytes(StandardCharsets.UTF_8);
            if (MessageDigest.isEqual(found, signature(generation, value).getBytes(StandardCharsets.UTF_8))) {
                return value;
            }
        }
        throw new IllegalArgumentException("what is stored of the slot map is not signed with the key of map.key");
    }

    private static RegisterValue withText(RegisterValue value, String text) {
        return new RegisterValue(
                value.sequence(), value.version(), text, value.voters(), value.previous(), value.operations());
    }

    private String signature(Generation generation, RegisterValue value) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return HexFormat.of()
                    .formatHex(
                            mac.doFinal((generation + "\n" + RegisterText.of(value)).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has this algorithm", e);
        }
    }
}
