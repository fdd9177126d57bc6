// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.config;

import io.keyslot.client.config.Access.Login;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the address of a partition. The text is split before the variables of each part are replaced: a password in a
 * variable needs no percent-encoding, and cannot change the host. Messages do not quote the text.
 */
public final class PartitionUriParser {
    private static final Set<String> PLAIN = Set.of("redis", "valkey");
    private static final Set<String> ENCRYPTED = Set.of("rediss", "valkeys");
    private static final Set<String> SOCKETS = Set.of("unix", "redis-socket", "redis+socket", "valkey-socket", "file");
    private static final Set<String> OTHER_SENTINELS = Set.of("redis-sentinel", "rediss-sentinel");
    private static final String SENTINEL = "+sentinel";

    private static final Pattern HOST_AND_PORT = Pattern.compile(
            "(?:\\[(?<v6>[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)\\]|(?<name>[A-Za-z0-9._-]+))(?::(?<port>[0-9]{1,5}))?");
    private static final Pattern DATABASE = Pattern.compile("/?|/(?<number>[0-9]{1,4})");
    private static final Pattern SERVICE =
            Pattern.compile("/(?<service>[A-Za-z0-9._-]{1,64})(?:/(?<number>[0-9]{1,4})?)?");
    private static final int MOST_SENTINELS = 16;
    private static final String SENTINEL_FORM =
            "redis+sentinel://[user:password@]host[:port],host[:port]/name[/database]";
    private static final String FORM = "redis://[user:password@]host[:port][/database]";

    private final Substitution variables;

    PartitionUriParser(Substitution variables) {
        this.variables = variables;
    }

    /**
     * Parses an address without variables: {@code redis://}, {@code rediss://}, {@code valkey://} or
     * {@code valkeys://}, then {@code [user:password@]host[:port][/database]}; or with {@code +sentinel} after the
     * scheme, then {@code [user:password@]host[:port],host[:port]/name[/database]}.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    public static PartitionUri uri(String text) {
        try {
            return parseWhole(text);
        } catch (BadValueException e) {
            throw new IllegalArgumentException("The partition's address " + e.predicate(), e);
        }
    }

    /**
     * Parses an address whose parts may be variables.
     *
     * @throws BadValueException if the text has another form, or a variable has no value
     */
    PartitionUri parse(String text) throws BadValueException {
        int colon = Substitution.indexOutside(text, ":", 0);
        if (colon < 0 && text.contains("${")) {
            return parseWhole(variables.resolve(text, UnaryOperator.identity()));
        }
        if (text.startsWith("/")) {
            throw unixSocket();
        }
        if (colon < 0 || !text.startsWith("://", colon)) {
            throw new BadValueException("must be an address of the form " + FORM);
        }
        String scheme = variables.resolve(text.substring(0, colon), UnaryOperator.identity());
        return parseAfterScheme(isEncrypted(scheme), isOfSentinels(scheme), text.substring(colon + 3));
    }

    /** Parses a URI without variables, such as the value of one. */
    private static PartitionUri parseWhole(String uri) throws BadValueException {
        return new PartitionUriParser(new Substitution(name -> null)).parse(uri.replace("${", "%24%7B"));
    }

    private PartitionUri parseAfterScheme(boolean tls, boolean watched, String rest) throws BadValueException {
        int end = Substitution.indexOutside(rest, "/?#", 0);
        String authority = end < 0 ? rest : rest.substring(0, end);
        String tail = end < 0 ? "" : rest.substring(end);
        if (Substitution.indexOutside(tail, "@", 0) >= 0) {
            throw new BadValueException("has an @ after a / ? or #: percent-encode these characters in the password");
        }
        int at = lastAt(authority);
        String places = variables.resolve(authority.substring(at + 1), UnaryOperator.identity());
        String path = variables.resolve(tail, UnaryOperator.identity());
        String login = at < 0 ? null : authority.substring(0, at);
        int colon = login == null ? -1 : colonOf(login);
        String username = login == null || colon == 0 ? null : part(login.substring(0, colon));
        String password = login == null ? null : password(login.substring(colon + 1));
        if (watched) {
            return watched(tls, places, path, new Login(username, password));
        }
        Matcher place = hostAndPort(places);
        return new PartitionUri(
                tls, host(place), port(place, PartitionUri.DEFAULT_PORT), database(path), username, password);
    }

    private static PartitionUri watched(boolean tls, String places, String path, Login login) throws BadValueException {
        Matcher service = SERVICE.matcher(path);
        if (!service.matches()) {
            throw new BadValueException("does not say what the sentinels call the instance: write " + SENTINEL_FORM);
        }
        List<PartitionUri> sentinels = new ArrayList<>();
        for (String piece : places.split(",", -1)) {
            Matcher place = hostAndPort(piece.strip());
            int port = port(place, PartitionUri.SENTINEL_PORT);
            sentinels.add(new PartitionUri(tls, host(place), port, 0, null, null));
        }
        if (sentinels.size() > MOST_SENTINELS) {
            throw new BadValueException(
                    "names %d sentinels, must be at most %d".formatted(sentinels.size(), MOST_SENTINELS));
        }
        return new PartitionUri(
                tls,
                new PartitionUri.Sentinels(service.group("service"), sentinels),
                sentinels.get(0).host(),
                sentinels.get(0).port(),
                service.group("number") == null ? 0 : Integer.parseInt(service.group("number")),
                login.username(),
                login.password());
    }

    private static int lastAt(String authority) {
        int last = -1;
        int next = Substitution.indexOutside(authority, "@", 0);
        while (next >= 0) {
            last = next;
            next = Substitution.indexOutside(authority, "@", next + 1);
        }
        return last;
    }

    private static Matcher hostAndPort(String text) throws BadValueException {
        Matcher place = HOST_AND_PORT.matcher(text);
        if (text.isEmpty() || (text.startsWith(":") && !text.startsWith("::"))) {
            throw new BadValueException("has no host: write " + FORM);
        }
        if (!place.matches()) {
            throw new BadValueException("has a host or a port that cannot be read: write " + FORM
                    + ", an IPv6 address in brackets, and percent-encode : / ? # @ in the password");
        }
        return place;
    }

    private static String host(Matcher place) {
        String name = place.group("v6") == null ? place.group("name") : place.group("v6");
        return name.toLowerCase(Locale.ROOT);
    }

    private static int port(Matcher place, int otherwise) throws BadValueException {
        int port = place.group("port") == null ? otherwise : Integer.parseInt(place.group("port"));
        if (port < 1 || port > 65_535) {
            throw new BadValueException("has a port that is not from 1 to 65535");
        }
        return port;
    }

    private static int database(String tail) throws BadValueException {
        Matcher database = DATABASE.matcher(tail);
        if (!database.matches()) {
            throw new BadValueException("has something behind the port that is not the number of a database;"
                    + " timeouts and names are settings of their own");
        }
        return database.group("number") == null ? 0 : Integer.parseInt(database.group("number"));
    }

    private static int colonOf(String login) throws BadValueException {
        int colon = Substitution.indexOutside(login, ":", 0);
        if (colon < 0) {
            throw new BadValueException("has no colon before the @: write user:password@ or :password@");
        }
        return colon;
    }

    private String password(String piece) throws BadValueException {
        String password = part(piece);
        if (password.isEmpty()) {
            throw new BadValueException("has an empty password: leave user, password and @ away if there is none");
        }
        return password;
    }

    private String part(String piece) throws BadValueException {
        try {
            // URLDecoder decodes forms; in a URI, a plus is a plus.
            return variables.resolve(
                    piece, literal -> URLDecoder.decode(literal.replace("+", "%2B"), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new BadValueException("has a % in user or password that is not followed by two hexadecimal digits");
        }
    }

    private static boolean isEncrypted(String scheme) throws BadValueException {
        String whole = scheme.toLowerCase(Locale.ROOT);
        String name = isOfSentinels(whole) ? whole.substring(0, whole.length() - SENTINEL.length()) : whole;
        if (SOCKETS.contains(name)) {
            throw unixSocket();
        }
        if (OTHER_SENTINELS.contains(name)) {
            throw new BadValueException("names sentinels: write " + SENTINEL_FORM);
        }
        if (!PLAIN.contains(name) && !ENCRYPTED.contains(name)) {
            throw new BadValueException("must begin with redis://, rediss://, valkey:// or valkeys://");
        }
        return ENCRYPTED.contains(name);
    }

    private static boolean isOfSentinels(String scheme) {
        return scheme.toLowerCase(Locale.ROOT).endsWith(SENTINEL);
    }

    private static BadValueException unixSocket() {
        return new BadValueException("names a unix socket, which is not supported: write " + FORM);
    }
}
