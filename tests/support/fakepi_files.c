/*
 * The calls into the C library by which a program reaches the fake Pi's files: those that tell what
 * machine it is come from the tree (FAKEPI_TREE), the devices from fakepi_devices.c.
 *
 * The same call has several names: for files that may be long, as Python's modules are built, and
 * in older libraries (__xstat). All names of the calls that drivers use are taken over.
 */
#define _GNU_SOURCE
#include "fakepi.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DEVICE_LIST "/dev" /* itself only: what is not a Pi's is the host's */
#define GPIO_DRIVER "/sys/bus/gpio"
#define CHIP_NUMBER makedev(254, 0)
#define CHIP_SUBSYSTEM "/sys/dev/char/254:0/subsystem"

static const struct {
    const char *path;
    enum device device;
} NODES[] = {
    {"/dev/spidev0.0", SPI}, {"/dev/vcio", MAILBOX},        {"/dev/mem", MEMORY},
    {"/dev/gpiomem", MEMORY}, {"/dev/gpiochip0", GPIO_CHIP}, {"/dev/pio0", PIO},
};

/* What tells one machine from another, and nothing else of the host. */
static const char *const TOLD[] = {"/proc/cpuinfo", "/proc/device-tree", "/sys/firmware/devicetree",
                                   "/sys/module/spidev", DEVICE_LIST};

static int set_error(int number)
{
    errno = number;
    return -1;
}

/* A number can be given out again after a close, so a file is known by its inode. */
static struct {
    int file;
    dev_t on;
    ino_t inode;
} open_files[DEVICES];

static int create_file(enum device device)
{
    struct stat status;
    int file = memfd_create("fakepi", MFD_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0)
        abort();
    open_files[device].on = status.st_dev;
    open_files[device].inode = status.st_ino;
    return open_files[device].file = file;
}

int open_device(enum device device)
{
    int file = open_files[device].inode ? open_files[device].file : create_file(device);
    return fcntl(file, F_DUPFD_CLOEXEC, 0);
}

static enum device device_of(int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return DEVICES;
    for (enum device device = 0; device < DEVICES; device++)
        if (open_files[device].inode == status.st_ino && open_files[device].on == status.st_dev)
            return device;
    return DEVICES;
}

/* Whether the path is a device of any Pi; `device` is DEVICES if this machine lacks it. */
static int is_node(const char *path, enum device *device)
{
    int is_pi = getenv("FAKEPI_REVISION") != NULL;
    for (size_t node = 0; node < sizeof NODES / sizeof *NODES; node++)
        if (strcmp(path, NODES[node].path) == 0) {
            *device = NODES[node].device;
            if (!is_pi || (*device == PIO && processor() != BCM2712))
                *device = DEVICES;
            return 1;
        }
    return 0;
}

static int is_refused(const char *path)
{
    const char *refused = getenv("FAKEPI_REFUSE");
    return refused && strcmp(path, refused) == 0;
}

/* Returns the path to look at instead: in the tree if it is one that tells. */
static const char *placed(const char *path, char room[PATH_MAX])
{
    const char *tree = getenv("FAKEPI_TREE");
    for (size_t told = 0; tree && told < sizeof TOLD / sizeof *TOLD; told++) {
        size_t length = strlen(TOLD[told]);
        int is_below = path[length] == '/' && strcmp(TOLD[told], DEVICE_LIST) != 0;
        if (strncmp(path, TOLD[told], length) == 0 && (!path[length] || is_below)) {
            snprintf(room, PATH_MAX, "%s%s", tree, path);
            return room;
        }
    }
    return path;
}

/* ---- opening ---- */

int open(const char *path, int flags, ...)
{
    char room[PATH_MAX];
    enum device device;
    int mode = 0;

    if (is_refused(path))
        return set_error(EACCES);
    if (is_node(path, &device))
        return device == DEVICES ? set_error(ENOENT) : open_device(device);
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, int);
        va_end(rest);
    }
    return REAL(open)(placed(path, room), flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

FILE *fopen(const char *path, const char *mode)
{
    char room[PATH_MAX];
    return REAL(fopen)(placed(path, room), mode);
}

FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

/* ---- looking ---- */

static int describe_node(enum device device, struct stat *status)
{
    *status = (struct stat){.st_mode = S_IFCHR | 0660, .st_rdev = CHIP_NUMBER};
    return device == DEVICES ? set_error(ENOENT) : 0;
}

int stat(const char *path, struct stat *status)
{
    char room[PATH_MAX];
    enum device device;
    return is_node(path, &device) ? describe_node(device, status)
                                  : REAL(stat)(placed(path, room), status);
}

int lstat(const char *path, struct stat *status)
{
    char room[PATH_MAX];
    enum device device;
    return is_node(path, &device) ? describe_node(device, status)
                                  : REAL(lstat)(placed(path, room), status);
}

int access(const char *path, int mode)
{
    char room[PATH_MAX];
    enum device device;
    if (mode != F_OK && is_refused(path))
        return set_error(EACCES);
    if (is_node(path, &device))
        return device == DEVICES ? set_error(ENOENT) : 0;
    return REAL(access)(placed(path, room), mode);
}

/* On 64 bits a file's status has one form only. */
int stat64(const char *path, struct stat64 *status)
{
    return stat(path, (struct stat *)status);
}

int lstat64(const char *path, struct stat64 *status)
{
    return lstat(path, (struct stat *)status);
}

int __xstat(int version, const char *path, struct stat *status)
{
    (void)version;
    return stat(path, status);
}

int __lxstat(int version, const char *path, struct stat *status)
{
    (void)version;
    return lstat(path, status);
}

DIR *opendir(const char *path)
{
    char room[PATH_MAX];
    return REAL(opendir)(placed(path, room));
}

/* By this link libgpiod tells a GPIO chip from other devices. */
char *realpath(const char *path, char *room)
{
    if (strcmp(path, CHIP_SUBSYSTEM) == 0)
        return room ? strcpy(room, GPIO_DRIVER) : strdup(GPIO_DRIVER);
    return REAL(realpath)(path, room);
}

/* ---- talking ---- */

int ioctl(int fd, unsigned long request, ...)
{
    enum device device = device_of(fd);
    va_list rest;

    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    /* A request has 32 bits, which some callers widen as a signed number. */
    return device == DEVICES ? REAL(ioctl)(fd, request, argument)
                             : control_device(device, (uint32_t)request, argument);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    enum device device = device_of(fd);
    return device == DEVICES ? REAL(write)(fd, bytes, length)
                             : write_device(device, bytes, length);
}
