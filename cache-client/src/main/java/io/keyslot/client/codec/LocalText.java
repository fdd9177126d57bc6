// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.codec;

import io.keyslot.client.codec.graph.ClassRefusal;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The JSON text of a type of the JDK that Jackson would read with a look-up: of a host name, a protocol handler or a
 * file system provider. {@code read} depends on the text only; throws {@link IllegalArgumentException}.
 */
record LocalText<T>(Class<T> type, Function<T, String> write, Function<String, T> read) {
    static final List<LocalText<?>> ALL = List.of(
            new LocalText<>(InetAddress.class, InetAddress::getHostAddress, LocalText::address),
            new LocalText<>(InetSocketAddress.class, LocalText::written, LocalText::socketAddress),
            new LocalText<>(Path.class, LocalText::written, LocalText::path),
            new LocalText<>(
                    URL.class,
                    address -> {
                        throw refusal();
                    },
                    text -> {
                        throw refusal();
                    }));

    private static final Pattern V4 = Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");
    /** Has at least two colons, so the JDK parses it as an address or throws, without a look-up. */
    private static final Pattern V6 =
            Pattern.compile("[0-9a-fA-F:][0-9a-fA-F.]*:[0-9a-fA-F.]*:[0-9a-fA-F:.]*(?:%\\w+)?");

    private static final Pattern HOST_AND_PORT =
            Pattern.compile("(?:\\[(?<inBrackets>[^\\]]+)\\]|(?<host>[^:\\[\\]]+))(?::(?<port>\\d{1,5}))?");

    private static boolean isAddress(String text) {
        return V4.matcher(text).matches() || V6.matcher(text).matches();
    }

    private static InetAddress address(String text) {
        if (!isAddress(text)) {
            throw new IllegalArgumentException("not the digits of an address, and names are not looked up");
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address that there is on this machine", e);
        }
    }

    private static String written(InetSocketAddress address) {
        String host = address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        boolean bracketed = address.getAddress() instanceof Inet6Address || host.indexOf(':') >= 0;
        return (bracketed ? "[%s]:%d" : "%s:%d").formatted(host, address.getPort());
    }

    /** A host name remains unresolved. */
    private static InetSocketAddress socketAddress(String text) {
        Matcher parts = HOST_AND_PORT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("not a host and a port");
        }
        int port = parts.group("port") == null ? 0 : Integer.parseInt(parts.group("port"));
        String bracketed = parts.group("inBrackets");
        if (bracketed != null) {
            return new InetSocketAddress(address(bracketed), port);
        }
        String host = parts.group("host");
        return isAddress(host)
                ? new InetSocketAddress(address(host), port)
                : InetSocketAddress.createUnresolved(host, port);
    }

    private static String written(Path path) {
        if (!path.getFileSystem().equals(FileSystems.getDefault())) {
            throw ClassRefusal.of("json", Path.class, "of another file system than the default one is not read");
        }
        return path.toUri().toString();
    }

    private static Path path(String text) {
        URI address = URI.create(text);
        if (address.getScheme() == null) {
            return Path.of(text);
        }
        if (!address.getScheme().toLowerCase(Locale.ROOT).equals("file")) {
            throw new IllegalArgumentException("not in the default file system, and no other is asked for");
        }
        return Path.of(address);
    }

    private static RuntimeException refusal() {
        return ClassRefusal.of(
                "json",
                URL.class,
                "is not supported, as it asks for a handler, and by hashCode for the address of a name; use java.net.URI");
    }
}
