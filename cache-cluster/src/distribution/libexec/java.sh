# SPDX-License-Identifier: Apache-2.0
# Read by the launchers, that of a checkout and that of a distribution: finds Java, and decides what to tell it.
# Sets java and options. Needs a JDK or JRE 17 or later, from JAVA_HOME or the PATH.

fail() {
    echo "keyslot: $1" >&2
    exit 1
}

if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || fail "JAVA_HOME is $JAVA_HOME, which has no bin/java; let it name a JDK 17 or later"
else
    java=$(command -v java) || fail "there is no java on the PATH; install a JDK 17 or later, or set JAVA_HOME"
fi
feature=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = //p')
case $feature in
    '' | *[!0-9]*) feature=8 ;; # 1.8 and before have a dot
esac
[ "$feature" -ge 17 ] || fail "$java is older than Java 17; set JAVA_HOME to a JDK 17 or later"

# Netty and Kryo use what later JDKs warn about.
options=
if [ "$feature" -ge 24 ]; then
    options="--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
fi
# The JVM cannot tell whether one of its streams is a terminal.
if [ -t 2 ]; then
    options="$options -Dkeyslot.terminal=true"
fi
if [ -t 1 ]; then
    options="$options -Dkeyslot.screen=true"
fi
# A coordinator rests for most of its time, and applications wait for it where a better
# compiler takes a processor from it: that costs more than it gains.
case "${1:-} ${2:-}" in
    'apply '* | 'complete '* | 'bench move') options="$options -XX:TieredStopAtLevel=1 -XX:+UseSerialGC" ;;
esac
