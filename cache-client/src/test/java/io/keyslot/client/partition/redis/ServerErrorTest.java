// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerErrorTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LOADING Redis is loading the dataset in memory | NOT_NOW",
                "BUSY Redis is busy running a script. | NOT_NOW",
                "TRYAGAIN Multiple keys request during rehashing of slot | NOT_NOW",
                "MASTERDOWN Link with MASTER is down | NOT_NOW",
                "OOM command not allowed when used memory > 'maxmemory'. | NOT_WRITABLE",
                "OOM command not allowed when used memory > 'maxmemory'. script: 5ff, on @user_script:15. |"
                        + " NOT_WRITABLE",
                "READONLY You can't write against a read only replica. | NOT_WRITABLE",
                "MISCONF Errors writing to the AOF file: No space left on device | NOT_WRITABLE",
                "NOREPLICAS Not enough good replicas to write. | NOT_WRITABLE",
                "NOPERM this user has no permissions to run the 'get' command | FORBIDDEN",
                "NOAUTH Authentication required. | NOT_NOW",
                "WRONGTYPE Operation against a key holding the wrong kind of value | FORBIDDEN",
                "MOVED 3999 127.0.0.1:6381 | MOVED",
                "ERR unknown command 'GETEX', with args beginning with: 'customer:99' | FORBIDDEN",
                "ERR max number of clients reached | NOT_NOW",
                "ERR max number of clients + cluster connections reached | NOT_NOW",
                "ERR syntax error | FORBIDDEN",
                "something nobody expects | FORBIDDEN"
            })
    void error_isRefused(String error, Refusal expected) {
        assertThat(ServerError.parse(error).refusal()).isEqualTo(expected);
    }

    @Test
    void errorWithinAScriptOfAnOldServer_isTheScriptsOwn() {
        String error =
                "ERR Error running script (call to f_5ff): @user_script:15: @user_script: 15: -OOM command not allowed";

        assertThat(ServerError.parse(error).refusal()).isEqualTo(Refusal.NOT_WRITABLE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NOPERM this user has no permissions to run the 'get' command | GET",
                "NOPERM this user has no permissions to access one of the keys used as arguments | one of the keys",
                "ERR ACL failure in script: User u has no permissions to run the 'zadd' command script: 5ff | ZADD",
                "ERR user_script:13: NOPERM the user may not use PEXPIRE script: 5ff, on @user_script:13. | PEXPIRE"
            })
    void missingRight_isNamed(String error, String name) {
        assertThat(ServerError.parse(error).detail()).isEqualTo("NOPERM: the user may not use " + name);
    }

    @Test
    void missingRightToKeys_isNamedByTheirPatterns() {
        ServerError error =
                ServerError.parse("NOPERM this user has no permissions to access one of the keys used as arguments");

        assertThat(toldOf(error, "SET", "customer:99", "secret:1"))
                .isEqualTo("NOPERM: the user may not use one of the keys: ~customer:*");
        assertThat(toldOf(error, "MGET", "shop/customer:99", "shop/customer:98", "sale:1"))
                .isEqualTo("NOPERM: the user may not use one of the keys: ~shop/* ~sale:*");
        assertThat(toldOf(error, "EVALSHA", "5ff", "2", "customer:99", "keyslot:near:customer:99", "secret:1"))
                .isEqualTo("NOPERM: the user may not use one of the keys: ~customer:* ~keyslot:*");
        assertThat(toldOf(error, "GET", "secret")).isEqualTo("NOPERM: the user may not use one of the keys");
    }

    private static String toldOf(ServerError error, String command, String... arguments) {
        byte[][] bytes = Arrays.stream(arguments)
                .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        return ((Reply.Refused<?>) error.reply(1, command, bytes)).detail();
    }

    @Test
    void missingRightOfAnOldServer_isNamedByTheLineOfTheScript() {
        List<String> lines = Script.UNLOCK.text().lines().toList();
        int line = 1 + lines.indexOf("redis.call('UNLINK', KEYS[1])");
        String error = ("ERR Error running script (call to f_%s): @user_script:%d: @user_script: %d: "
                        + "The user executing the script can't run this command or subcommand")
                .formatted(Script.UNLOCK.alone().digest(), line, line);

        assertThat(ServerError.parse(error).reply(1, "GET", null))
                .isEqualTo(Reply.refused(Refusal.FORBIDDEN, "NOPERM: the user may not use UNLINK"));
    }

    @Test
    void reply_namesTheUnknownCommand_andNoArgument() {
        for (String text : List.of(
                "ERR unknown command 'HELLO', with args beginning with: 'secret'",
                "ERR unknown command `hello`, with args beginning with: `secret`,",
                "ERR unknown command HELLO")) {
            Reply<Boolean> reply = ServerError.parse(text).reply(1, "GET", null);

            assertThat(((Reply.Refused<Boolean>) reply).detail())
                    .startsWith("the server does not know the command HELLO: it was renamed or disabled there")
                    .doesNotContain("secret");
            assertThat(ServerError.isMissing("HELLO", reply)).isTrue();
        }
    }

    @Test
    void reply_ofAServerThatRefusesSeveralSlots_namesThePolicy_andIsTriedAgain() {
        Reply<Boolean> reply = ServerError.parse("CROSSSLOT Keys in request don't hash to the same slot")
                .reply(1, "EVALSHA", null);

        assertThat(reply.isRefused(Refusal.NOT_NOW)).isTrue();
        assertThat(((Reply.Refused<Boolean>) reply).detail()).contains("clustering policy Enterprise");
    }

    @Test
    void reply_ofAFullServer_saysWhatToDo() {
        Reply<Boolean> reply = ServerError.parse("OOM command not allowed when used memory > 'maxmemory'.")
                .reply(1, "GET", null);

        assertThat(((Reply.Refused<Boolean>) reply).detail()).contains("maxmemory", "maxmemory-policy");
    }
}
